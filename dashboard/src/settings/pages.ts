/** All settings pages in one piece: they are small, and one looks through them together. */
export { ApiKeysPage } from './ApiKeysPage.tsx';
export { AppearancePage } from './AppearancePage.tsx';
export { ProfilePage } from './ProfilePage.tsx';
export { SecurityPage } from './SecurityPage.tsx';
export { SettingsLayout } from './SettingsLayout.tsx';
