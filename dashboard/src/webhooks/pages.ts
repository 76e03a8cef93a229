/** Contains both pages in one chunk, because each links to the other. */
export { WebhookPage } from './WebhookPage.tsx';
export { WebhooksPage } from './WebhooksPage.tsx';
