import type { Generated } from 'kysely';
import type { CommentPart } from '../../contract/comment-parts.ts';
import type { ResultMetric } from '../../contract/event-types.ts';
import type { Via } from '../../contract/people.ts';
import type { StoredProposalState, Verdict } from '../../contract/proposals.ts';
import type { ReleaseCause, ReleaseState } from '../../contract/releases.ts';
import type { PromptType, TemplateSyntax } from '../../contract/versions.ts';
import type { Fixed, FixedOrNull } from '../columns.ts';

export interface PromptTables {
  prompts: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    name: string;
    search_name: string;
    type: Fixed<PromptType>;
    description: string;
    search_description: string;
    latest_version: number;
    created_at: Fixed<string>;
    updated_at: string;
    deleted_at: string | null;
  };

  /** A version never changes. When it is deleted, everything except its number and its author is erased. */
  prompt_versions: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    version: Fixed<number>;
    /** JSON: a template string or an array of messages. */
    content: string;
    config: string;
    /** JSON: the variables that the template uses. */
    variables: string;
    /** JSON: references to the prompts that the template includes. The column has the earlier name for included prompts. */
    partials: string;
    message: string;
    created_at: Fixed<string>;
    /**
     * The author of the version, with the author's name at that time. Null if the owner saved the version before workspaces had members.
     */
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    by_via: FixedOrNull<Via>;
    /**
     * The ids of further accounts that contributed to the content, or copied or imported it, separated by spaces. Null if there are none.
     * These accounts cannot approve the content.
     */
    authors: FixedOrNull;
    /**
     * When the version was imported. Null for versions that were saved in the workspace, and for versions that were imported before the
     * service recorded the time.
     */
    imported_at: FixedOrNull;
    syntax: Generated<TemplateSyntax>;
    /** When the version was deleted. The content of a deleted version is erased, and its number is never used again. */
    deleted_at: Generated<string | null>;
  };

  prompt_labels: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    label: Fixed<string>;
    version: number;
    /** The order in which the labels were set. */
    position: Generated<number>;
  };

  prompt_tags: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    tag: Fixed<string>;
    position: Generated<number>;
  };

  /** A prompt that a version includes, and the label at which it is included. The prompt need not exist. */
  prompt_references: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    version: Fixed<number>;
    name: Fixed<string>;
    label: Fixed<string>;
  };

  /**
   * The folded texts that searches compare: the texts of a prompt's newest and labeled versions, and its name and description as version 0.
   */
  prompt_texts: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    version: Fixed<number>;
    text: Fixed<string>;
  };

  /** The prompts that a person marked as favorites in a workspace. */
  favorites: {
    account_id: Fixed<string>;
    user_id: Fixed<string>;
    prompt_id: Fixed<string>;
    created_at: Fixed<string>;
  };

  /** The views of the list of prompts that a person saved in a workspace. */
  saved_views: {
    account_id: Fixed<string>;
    user_id: Fixed<string>;
    id: Fixed<string>;
    name: string;
    /** JSON: the filters and the sort order. */
    filters: string;
    created_at: Fixed<string>;
    updated_at: string;
  };

  /** Content that people work on before it becomes a version. */
  prompt_candidates: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    title: string;
    /** Increases with every change. */
    revision: number;
    base_version: number;
    /** The size that counts as content of the workspace. */
    bytes: number;
    created_at: Fixed<string>;
    /** JSON: the person who created the candidate. */
    created_by: Fixed<string>;
    changed_at: string;
    /** JSON: the person who last changed the candidate. */
    changed_by: string;
    /** JSON: the ids of all accounts that have changed the content. */
    authors: string;
    message: string;
    syntax: TemplateSyntax;
    config: string;
    variables: string;
    partials: string;
    content: string;
  };

  /** Proposals to move labels. */
  proposals: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    state: StoredProposalState;
    /** JSON: the labels that move, and where to, see `ProposedChange`. */
    changes: Fixed<string>;
    message: Fixed<string>;
    /** JSON: the ids of the people who were asked for a review. */
    reviewers: Fixed<string>;
    opened_at: Fixed<string>;
    /** JSON: the person who opened the proposal. */
    opened_by: Fixed<string>;
    updated_at: string;
    apply_at: string | null;
    /** Why the proposal could not be applied at its scheduled time. */
    problem: string | null;
    ended_at: string | null;
    /** JSON: the person who ended the proposal. */
    ended_by: string | null;
    /** JSON: what applying the proposal changed, see `ProposalResult`. */
    result: string | null;
  };

  proposal_reviews: {
    account_id: Fixed<string>;
    proposal_id: Fixed<string>;
    id: Fixed<string>;
    user_id: Fixed<string>;
    /** JSON: the reviewer. */
    by: Fixed<string>;
    verdict: Fixed<Verdict>;
    text: Fixed<string>;
    /** The revision of the proposal that was reviewed. */
    revision: Fixed<string>;
    at: Fixed<string>;
  };

  /** Comments on proposals, versions and candidates. */
  comments: {
    account_id: Fixed<string>;
    id: Fixed<string>;
    /** The id of the first comment of the thread. */
    thread_id: Fixed<string>;
    user_id: Fixed<string>;
    /** JSON: the author. */
    by: Fixed<string>;
    at: Fixed<string>;
    text: string;
    /** JSON: the members whom the text mentions. */
    mentions: string;
    /** The proposal on whose page the comment was made. */
    proposal_id: FixedOrNull;
    /** The prompt of the version or candidate. */
    prompt_id: FixedOrNull;
    version: Generated<number | null>;
    candidate_id: Generated<string | null>;
    /** The line that the comment is about: a part of the content, the number of the line in it, and its text. */
    part: FixedOrNull<CommentPart>;
    line: FixedOrNull<number>;
    quote: FixedOrNull;
    edited_at: Generated<string | null>;
    /** The first comment of a thread remains without its text if it is deleted while it has replies. */
    deleted_at: Generated<string | null>;
    /** Set only in the first comment of a thread. */
    resolved_at: Generated<string | null>;
    /** JSON: the person who resolved the thread. */
    resolved_by: Generated<string | null>;
  };

  /** The last release of each label. */
  releases: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    label: Fixed<string>;
    id: string;
    state: ReleaseState;
    cause: ReleaseCause | null;
    /** JSON: how the release divides callers, see `StoredSplit`. */
    split: string;
    /** JSON: when the service widens the release or rolls it back, see `ReleasePlan`. */
    plan: string;
    /** Increases with every change to the weights and every resume. The results of each stage are measured separately. */
    stage: number;
    started_at: string;
    /** JSON: the person who started the release. */
    started_by: string;
    changed_at: string;
    ended_at: string | null;
  };

  /** The alerts that were sent because the version at a label has worse results than the version before it. They are deleted by age. */
  result_alerts: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    label: Fixed<string>;
    version: Fixed<number>;
    metric: Fixed<ResultMetric>;
    at: Fixed<string>;
  };

  prompt_events: {
    account_id: Fixed<string>;
    prompt_id: Fixed<string>;
    id: Fixed<string>;
    type: Fixed<string>;
    /** JSON: details of what changed. */
    detail: Fixed<string>;
    by: Fixed<Via>;
    /** The author of the change, with the author's name at that time. Null if the owner made the change before workspaces had members. */
    by_account_id: FixedOrNull;
    by_name: FixedOrNull;
    at: Fixed<string>;
  };
}
