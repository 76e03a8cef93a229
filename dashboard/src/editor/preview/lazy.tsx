import { lazyComponent } from '../../lib/chunks.ts';
import { withNothing, withSkeleton } from '../lazy-wrappers.tsx';

// Most messages are plain text, and most previews are used without declaring a variable, so these components load only when they are
// needed.
export const RenderedContent = withSkeleton(lazyComponent(async () => (await import('./RenderedContent.tsx')).RenderedContent));
export const DeclareDialog = withNothing(lazyComponent(async () => (await import('./DeclareDialog.tsx')).DeclareDialog));
