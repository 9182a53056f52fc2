export const SECRET = 'a secret of thirty-two characters';
