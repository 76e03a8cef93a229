import { VerificationBanner } from './VerificationBanner.tsx';
import { WebhookBanner } from './WebhookBanner.tsx';

/** Messages that appear at the top of every page. */
export function Banners() {
  return (
    <>
      <VerificationBanner />
      <WebhookBanner />
    </>
  );
}
