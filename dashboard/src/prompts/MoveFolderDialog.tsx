import { useQuery } from '@tanstack/react-query';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { MoveDialog } from './MoveDialog.tsx';

/** Loads all prompts of a folder, then moves the folder with everything in it. */
export function MoveFolderDialog({ folder, onClose }: { folder: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['prompts', 'inside', folder],
    queryFn: async ({ signal }) => {
      const fetchPage = (cursor?: string) => call('listPrompts', { query: { limit: maxPageLimit, folder, cursor } });
      return (await readPages(fetchPage, { signal })).data;
    },
    staleTime: 0,
    gcTime: 0,
    // The list of names must not change while the user reads it.
    refetchOnWindowFocus: false,
  });
  if (data) return <MoveDialog prompts={data} folder={folder} onClose={onClose} onDone={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={`Move the folder ${folder}`}>
      {error ? <Problem error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-40" />}
    </Dialog>
  );
}
