/** The version in package.json. A test compares them. */
export const version = '0.1.0';
