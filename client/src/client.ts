import { createEvents } from './events.ts';
import { type Caller, createCaller } from './http/caller.ts';
import type { Request, RequestOptions } from './http/request.ts';
import { createTransport, type Transport } from './http/transport.ts';
import { type PromptHarborOptions, resolveOptions } from './options.ts';
import { createAccount, createAuth } from './resources/accounts.ts';
import { createCases, createChecks, createModels, createRuns } from './resources/models.ts';
import { createFavorites, createPrompts, createViews } from './resources/prompts.ts';
import { createCandidates, createComments, createProposals } from './resources/proposals.ts';
import { createReleases } from './resources/releases.ts';
import { createFeedback, createResults } from './resources/results.ts';
import { createTransfer, type ImportOptions } from './resources/transfer.ts';
import { createLabels, createVersions } from './resources/versions.ts';
import { createWebhooks } from './resources/webhooks.ts';
import { createActivity, createHealth, createMembers, createStats, createWorkspace, createWorkspaces } from './resources/workspaces.ts';
import { createReporter } from './results/reporter.ts';
import { type ImportedPrompt, responseFields } from './types.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** A client for a PromptHarbor service. */
export class PromptHarbor {
  readonly auth: ReturnType<typeof createAuth>;
  readonly account: ReturnType<typeof createAccount>;
  readonly prompts: ReturnType<typeof createPrompts>;
  readonly favorites: ReturnType<typeof createFavorites>;
  readonly views: ReturnType<typeof createViews>;
  readonly versions: ReturnType<typeof createVersions>;
  readonly labels: ReturnType<typeof createLabels>;
  readonly releases: ReturnType<typeof createReleases>;
  readonly candidates: ReturnType<typeof createCandidates>;
  readonly proposals: ReturnType<typeof createProposals>;
  readonly comments: ReturnType<typeof createComments>;
  readonly models: ReturnType<typeof createModels>;
  readonly runs: ReturnType<typeof createRuns>;
  readonly cases: ReturnType<typeof createCases>;
  readonly checks: ReturnType<typeof createChecks>;
  readonly workspaces: ReturnType<typeof createWorkspaces>;
  readonly workspace: ReturnType<typeof createWorkspace>;
  readonly activity: ReturnType<typeof createActivity>;
  readonly members: ReturnType<typeof createMembers>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly stats: ReturnType<typeof createStats>;
  readonly results: ReturnType<typeof createResults>;
  /** Rates a model call or a version of a prompt. Feedback with the same `id` is counted once. */
  readonly feedback: ReturnType<typeof createFeedback>;
  readonly health: ReturnType<typeof createHealth>;
  readonly events: ReturnType<typeof createEvents>;
  readonly #transfer: ReturnType<typeof createTransfer>;
  // The field is private, so that the key does not appear when the client is printed.
  readonly #transport: Transport;

  constructor(options: PromptHarborOptions = {}) {
    const transport = createTransport(resolveOptions(options));
    const caller: Caller = createCaller(transport, responseFields);
    const reporter = createReporter(transport);
    this.#transport = transport;
    this.auth = createAuth(caller, transport.setApiKey);
    this.account = createAccount(caller);
    this.prompts = createPrompts(caller, transport, reporter);
    this.favorites = createFavorites(caller);
    this.views = createViews(caller);
    this.versions = createVersions(caller);
    this.labels = createLabels(caller);
    this.releases = createReleases(caller);
    this.candidates = createCandidates(caller);
    this.proposals = createProposals(caller);
    this.comments = createComments(caller);
    this.models = createModels(caller);
    this.runs = createRuns(caller);
    this.cases = createCases(caller);
    this.checks = createChecks(caller);
    this.workspaces = createWorkspaces(caller);
    this.workspace = createWorkspace(caller);
    this.activity = createActivity(caller);
    this.members = createMembers(caller);
    this.webhooks = createWebhooks(caller);
    this.stats = createStats(caller);
    this.results = createResults(caller, reporter);
    this.feedback = createFeedback(caller);
    this.health = createHealth(caller);
    this.events = createEvents(transport);
    this.#transfer = createTransfer(transport, transport.settings.retries);
  }

  /** The same function as the exported `verifyWebhook`. */
  readonly verifyWebhook = verifyWebhook;

  get baseUrl(): string {
    return this.#transport.settings.baseUrl;
  }

  /** Sets the key for all following requests, for example after a reset. */
  setApiKey(key: string): void {
    this.#transport.setApiKey(key);
  }

  /**
   * Exports all prompts of the workspace. Yields the lines of the export, each as JSON without its line break. Throws if the export is
   * incomplete.
   */
  export(options?: RequestOptions): AsyncGenerator<string, undefined> {
    return this.#transfer.export(options);
  }

  /** Imports the lines of an export in as many requests as needed. Returns the result for each prompt. */
  import(lines: AsyncIterable<string> | Iterable<string>, options?: ImportOptions): Promise<ImportedPrompt[]> {
    return this.#transfer.import(lines, options);
  }

  /** Sends any API request, for endpoints that have no method here. */
  request(request: Request, options?: RequestOptions): Promise<unknown> {
    return this.#transport.send(request, options);
  }
}
