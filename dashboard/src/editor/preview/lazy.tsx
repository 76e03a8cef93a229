import { lazyComponent } from '../../lib/chunks.ts';
import { withNothing, withSkeleton } from '../lazy-wrappers.tsx';

// Most messages are plain texts, and most previews are used without describing a variable.
export const RenderedContent = withSkeleton(lazyComponent(async () => (await import('./RenderedContent.tsx')).RenderedContent));
export const DeclareDialog = withNothing(lazyComponent(async () => (await import('./DeclareDialog.tsx')).DeclareDialog));
