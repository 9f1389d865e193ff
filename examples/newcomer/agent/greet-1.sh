# Greets whoever is named.
echo "Hello, $name!"
