// refused: two_files.cu:3: other() is not defined: include the file that defines it, or name its library (-L FOLDER -l NAME)
void other();
int main() { other(); }
