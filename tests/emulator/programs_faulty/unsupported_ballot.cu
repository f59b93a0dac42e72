// expect: 2 · unsupported_ballot.cu:3: 'vote.ballot.b32' without .sync is not supported since compute capability 7.0: use __ballot_sync
// Votes without a mask of lanes; nothing of the failed launch follows.
__global__ void vote(unsigned* out) { *out = __ballot(threadIdx.x < 3); }
int main() { vote<<<1, 32>>>(nullptr); }
