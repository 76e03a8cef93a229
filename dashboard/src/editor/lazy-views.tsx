import { lazyComponent } from '../lib/chunks.ts';
import { withNothing, withSkeleton } from './lazy-wrappers.tsx';

// The other views and the dialogs of a prompt's page are loaded when they are opened.
export const RunsPane = withSkeleton(lazyComponent(async () => (await import('../runs/RunsPane.tsx')).RunsPane));
export const RunComparison = withSkeleton(lazyComponent(async () => (await import('../runs/RunComparison.tsx')).RunComparison));
export const HistoryPane = withSkeleton(lazyComponent(async () => (await import('./versions/HistoryPane.tsx')).HistoryPane));
export const CandidatesPane = withSkeleton(lazyComponent(async () => (await import('../candidates/CandidatesPane.tsx')).CandidatesPane));
export const ReleasesPane = withSkeleton(lazyComponent(async () => (await import('../releases/ReleasesPane.tsx')).ReleasesPane));
export const ChecksPane = withSkeleton(lazyComponent(async () => (await import('../checks/ChecksPane.tsx')).ChecksPane));
export const DependenciesPane = withSkeleton(lazyComponent(async () => (await import('./DependenciesPane.tsx')).DependenciesPane));
export const PromptResults = withSkeleton(lazyComponent(async () => (await import('../results/PromptResults.tsx')).PromptResults));
export const PromptStats = withSkeleton(lazyComponent(async () => (await import('../stats/PromptStats.tsx')).PromptStats));
export const CodePane = withSkeleton(lazyComponent(async () => (await import('./snippets/CodePane.tsx')).CodePane));
export const PreviewPanel = withSkeleton(lazyComponent(async () => (await import('./preview/PreviewPanel.tsx')).PreviewPanel));
export const ToolsPane = withSkeleton(lazyComponent(async () => (await import('./tools/ToolsPane.tsx')).ToolsPane));
// Few configs have a part to move, so this component is loaded separately.
export const MoveOffer = withNothing(lazyComponent(async () => (await import('./tools/MoveOffer.tsx')).MoveOffer));
export const MessageList = withSkeleton(lazyComponent(async () => (await import('./MessageList.tsx')).MessageList));
// Most prompts have no drafts in other tabs, so this component may load a moment later.
export const OtherDrafts = withNothing(lazyComponent(async () => (await import('./drafts/OtherDrafts.tsx')).OtherDrafts));
export const NewCaseDialog = withNothing(lazyComponent(async () => (await import('../cases/NewCaseDialog.tsx')).NewCaseDialog));
export const SaveDialog = withNothing(lazyComponent(async () => (await import('./SaveDialog.tsx')).SaveDialog));
export const MergeDialog = withNothing(lazyComponent(async () => (await import('./merge/MergeDialog.tsx')).MergeDialog));
export const DeployDialog = withNothing(lazyComponent(async () => (await import('./labels/DeployDialog.tsx')).DeployDialog));
export const DeleteVersionDialog = withNothing(
  lazyComponent(async () => (await import('./versions/DeleteVersionDialog.tsx')).DeleteVersionDialog),
);
export const DetailsDialog = withNothing(lazyComponent(async () => (await import('./DetailsDialog.tsx')).DetailsDialog));
export const CopyDialog = withNothing(lazyComponent(async () => (await import('../prompts/CopyDialog.tsx')).CopyDialog));
export const DeleteDialog = withNothing(lazyComponent(async () => (await import('../prompts/DeleteDialog.tsx')).DeleteDialog));
