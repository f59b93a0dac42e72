# A header as Doxygen reads it: plain comments become its own. The first block describes the file, others what follows them or stands
# before them in the line.
/clang-format o|NOLINT/b
/^ *\/\/ [^`]*$/s,<([a-z]),\\<\1,g
1s,^// ,/// @thisfile ,
s,^( *)// ,\1/// ,
# Doxygen finds no scope for a specialisation of std's.
s,^struct std::hash<,struct std_hash<,
/^ *[}#]|^ *(class|struct) [A-Za-z0-9_]+;/b
s,([^ {]) {2\,}// ,\1  ///< ,
