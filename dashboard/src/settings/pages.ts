/** Contains most settings pages in one chunk, because they are small and often opened together. */
export { ApiKeysPage } from './ApiKeysPage.tsx';
export { AppearancePage } from './AppearancePage.tsx';
export { ProfilePage } from './ProfilePage.tsx';
