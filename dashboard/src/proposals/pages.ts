// Both pages are in one chunk, because users go from one to the other.
export { ProposalPage } from './ProposalPage.tsx';
export { ProposalsPage } from './ProposalsPage.tsx';
