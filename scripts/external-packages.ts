/** The packages that stay in node_modules, because they read files in their folders or are loaded only when needed. */
export const externalPackages = ['pg', 'pino', 'nodemailer', '@zxcvbn-ts/language-common'];
