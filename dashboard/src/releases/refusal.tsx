import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../../client/src/errors.ts';

/** Returns whether a request was refused because the label has a release. */
export function isReleaseRefusal(err: unknown): boolean {
  return err instanceof ApiError && err.code === 'release_running';
}

/** A link to the releases of a prompt. */
export function ReleaseLink({ name, onLeave, children = 'Show the release' }: ReleaseLinkProps) {
  return (
    <Link
      to="/dashboard/prompts/$"
      params={{ _splat: name }}
      search={{ view: 'releases' }}
      {...(onLeave && { onClick: onLeave })}
      className="rounded-sm font-medium underline underline-offset-3"
    >
      {children}
    </Link>
  );
}

interface ReleaseLinkProps {
  name: string;
  /** Closes the dialog that contains the link. */
  onLeave?: () => void;
  children?: ReactNode;
}
