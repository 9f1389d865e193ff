# Greets whoever is named.
echo "Hello!"
