/** As in package.json; a test compares. */
export const version = '0.1.0';
