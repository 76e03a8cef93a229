import { Link } from '@tanstack/react-router';
import type { PromptFilters } from './filter-search.ts';

/** The current folder, with links to the folders above it. */
export function FolderPath({ folder, filters }: { folder: string; filters: PromptFilters }) {
  const parts = folder.split('/');
  const { folder: _folder, ...rest } = filters;
  return (
    <nav aria-label="Folders" className="mb-3 flex flex-wrap items-center gap-1 text-ink-3">
      <Link to="/dashboard/prompts" search={rest} className="rounded-sm px-1 hover:text-ink">
        All prompts
      </Link>
      {parts.map((part, index) => {
        const path = parts.slice(0, index + 1).join('/');
        const isLast = index === parts.length - 1;
        return (
          <span key={path} className="flex max-w-full items-center gap-1">
            <span aria-hidden>/</span>
            {isLast ? (
              <span aria-current="page" dir="auto" className="min-w-0 px-1 font-medium text-ink wrap-anywhere">
                {part}
              </span>
            ) : (
              <Link
                to="/dashboard/prompts"
                search={{ ...rest, folder: path }}
                dir="auto"
                className="min-w-0 rounded-sm px-1 wrap-anywhere hover:text-ink"
              >
                {part}
              </Link>
            )}
          </span>
        );
      })}
    </nav>
  );
}
