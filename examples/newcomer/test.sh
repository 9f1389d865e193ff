said=$(sh greet.sh Ada)
test "$said" = "Hello, Ada!" || { echo "greet.sh Ada says: $said"; exit 1; }
