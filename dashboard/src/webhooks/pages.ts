/** Both pages in one chunk, because one leads to the other. */
export { WebhookPage } from './WebhookPage.tsx';
export { WebhooksPage } from './WebhooksPage.tsx';
