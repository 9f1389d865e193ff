export const greet = 1;
