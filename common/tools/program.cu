// Never run: `lab run` takes the build's commands for this file and applies them to the user's program.
__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    return 0;
}
