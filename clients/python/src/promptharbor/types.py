# Generated from openapi.json by scripts/python-client.ts. Run `npm run openapi` to write it anew.
"""The shapes of the API. They are typed dictionaries with the names of the API."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
if TYPE_CHECKING:
    from typing_extensions import TypeAlias


class Shape(TypedDict):
    """How a template uses a value."""

    kind: NotRequired[Literal["text", "list", "object"]]
    fields: NotRequired[list[Field]]
    items: NotRequired[Shape]


class Field(Shape):
    """A field of an object. `required` says whether the value is used outside conditions."""

    name: str
    required: bool


class Variable(Field):
    """A variable that a version declares or that its templates use."""

    type: NotRequired[Literal["text", "number", "boolean", "enum", "list", "object", "image"]]
    description: NotRequired[str]
    default: NotRequired[Any]
    example: NotRequired[Any]
    values: NotRequired[list[str]]
    inherited: NotRequired[bool]


class RenderedMessage(TypedDict):
    """A rendered message, in the form of OpenAI's chat completions."""

    role: str
    content: NotRequired[str | list[dict[str, Any]] | None]
    tool_calls: NotRequired[list[dict[str, Any]]]
    tool_call_id: NotRequired[str]


class AcceptedInvitationWorkspace(TypedDict):
    id: str
    """The value for `PromptHarbor-Workspace`."""
    name: str
    kind: Literal["personal", "team"]
    """`personal`: the workspace of an account, which has the account’s name."""


class AcceptedInvitation(TypedDict):
    workspace: AcceptedInvitationWorkspace
    role: Literal["viewer", "editor", "deployer", "admin", "owner"]
    """The role in the workspace. If the account was already a member, it keeps the higher of the
    two roles.
    """


class Account(TypedDict):
    userId: str
    """Starts with `u_`."""
    email: str
    name: str
    createdAt: str
    """When the account was created."""
    keyCreatedAt: str
    """When the current key was created."""
    hasPassword: bool
    """Whether the account has a password. Without one, its owner signs in with a provider or a
    passkey.
    """
    twoFactor: bool
    """Whether signing in with the password requires a code from an authenticator app."""
    hasPasskeys: bool
    """Whether the account has a passkey. Signing in with the password then requires a code, which
    may be a recovery code.
    """
    emailVerified: bool
    """Whether the email address is verified. Notifications are sent only to verified addresses."""
    verificationRequired: bool
    """Whether the account cannot use workspaces until its email address is verified. See
    `REQUIRE_VERIFIED_EMAIL`.
    """
    pendingEmail: str | None
    """The new email address, if a change is waiting for confirmation."""
    acceptedInvitation: bool
    """Whether the account was registered with an invitation, or has accepted an invitation since
    its password was last reset.
    """
    sendsEmail: bool
    """Whether this service sends email."""


class AccountChange(TypedDict):
    name: str
    """The display name, 1 to 100 characters."""


class AccountDeletion(TypedDict):
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""


class AccountEventBy(TypedDict):
    userId: str
    name: str
    """Their name at that time."""


class AccountEvent(TypedDict):
    id: str
    type: Literal["account_created", "sign_in", "sign_in_failed", "sign_out", "sessions_ended", "confirmation_failed", "attempts_throttled", "key_reset", "password_changed", "password_reset_requested", "password_reset", "verification_requested", "email_verified", "email_change_requested", "email_change_canceled", "email_changed", "two_factor_started", "two_factor_enabled", "two_factor_disabled", "recovery_code_used", "recovery_codes_replaced", "passkey_added", "passkey_removed", "cli_sign_in_approved", "identity_linked", "identity_unlinked", "member_invited", "invitation_removed", "member_joined", "member_role_changed", "member_removed", "member_left", "service_account_created", "service_account_key_reset", "workspace_created", "workspace_changed", "workspace_transferred", "webhook_created", "webhook_changed", "webhook_secret_rotated", "webhook_disabled", "webhook_deleted", "model_created", "model_changed", "model_deleted", "prompts_imported", "prompt_copied", "prompt_moved", "team_created", "team_deleted", "invitation_accepted", "role_changed", "removed_from_workspace", "workspace_left"]
    at: str
    address: str | None
    userAgent: str | None
    by: AccountEventBy | None
    """Who caused the event. Null for events that concern only the account, such as sign-ins."""
    detail: AccountEventDetail | None


class AccountEventDetailWorkspace(TypedDict):
    """The workspace in which the event happened, if that is not the account’s own, or the
    workspace to which a prompt was copied.
    """

    id: str
    name: str


class AccountEventDetailPreviousWebhook(TypedDict):
    host: NotRequired[str]
    events: NotRequired[Literal["all"] | list[str]]
    format: NotRequired[str]
    enabled: NotRequired[bool]


class AccountEventDetailPreviousModel(TypedDict):
    name: NotRequired[str]
    host: NotRequired[str]


class AccountEventDetailPrevious(TypedDict):
    """The previous values of changed settings."""

    name: NotRequired[str]
    protectedLabels: NotRequired[list[str]]
    gatedLabels: NotRequired[list[str]]
    labelRules: NotRequired[dict[str, LabelRule]]
    """The labels that require proposals, with their rules. A new workspace has none."""
    dailyBudget: NotRequired[DailyBudget]
    webhook: NotRequired[AccountEventDetailPreviousWebhook]
    model: NotRequired[AccountEventDetailPreviousModel]


class AccountEventDetailModel(TypedDict):
    """The model connection."""

    id: str
    name: str
    host: str


class AccountEventDetailPrompts(TypedDict):
    """How many prompts were imported. `replaced` is absent in entries of earlier versions, which
    counted replaced prompts as created.
    """

    created: int
    completed: int
    replaced: NotRequired[int]


class AccountEventDetailWebhook(TypedDict):
    """The webhook, with the settings that were changed."""

    id: str
    host: str
    """The host in the URL of the webhook."""
    events: NotRequired[Literal["all"] | list[str]]
    format: NotRequired[str]
    enabled: NotRequired[bool]


class AccountEventDetail(TypedDict):
    userId: NotRequired[str]
    """The member or service account."""
    name: NotRequired[str]
    """The name of the member, service account, passkey or computer at that time, or the new name
    of the workspace.
    """
    email: NotRequired[str]
    """The email address that was invited, or the new address of the account."""
    role: NotRequired[Literal["viewer", "editor", "deployer", "admin", "owner"]]
    previousRole: NotRequired[Literal["viewer", "editor", "deployer", "admin", "owner"]]
    workspace: NotRequired[AccountEventDetailWorkspace]
    """The workspace in which the event happened, if that is not the account’s own, or the
    workspace to which a prompt was copied.
    """
    protectedLabels: NotRequired[list[str]]
    gatedLabels: NotRequired[list[str]]
    labelRules: NotRequired[dict[str, LabelRule]]
    """The labels that require proposals, with their rules. A new workspace has none."""
    dailyBudget: NotRequired[DailyBudget]
    previous: NotRequired[AccountEventDetailPrevious]
    """The previous values of changed settings."""
    provider: NotRequired[str]
    """The name of the sign-in provider."""
    model: NotRequired[AccountEventDetailModel]
    """The model connection."""
    prompts: NotRequired[AccountEventDetailPrompts]
    """How many prompts were imported. `replaced` is absent in entries of earlier versions, which
    counted replaced prompts as created.
    """
    prompt: NotRequired[str]
    """The name of the prompt that was copied or moved to `workspace`."""
    webhook: NotRequired[AccountEventDetailWebhook]
    """The webhook, with the settings that were changed."""
    changed: NotRequired[list[str]]
    """The fields of a webhook or model connection that were changed. Fields with long or secret
    values appear only here, without their values.
    """


class Activity(TypedDict):
    data: list[AccountEvent]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class ActivityDetailWorkspace(TypedDict):
    """The other workspace, to which a prompt was copied or moved, or from which it came."""

    id: NotRequired[str]
    name: str


class ActivityDetailPreviousWebhook(TypedDict):
    host: NotRequired[str]
    events: NotRequired[Literal["all"] | list[str]]
    format: NotRequired[str]
    enabled: NotRequired[bool]


class ActivityDetailPreviousModel(TypedDict):
    name: NotRequired[str]
    host: NotRequired[str]


class ActivityDetailPrevious(TypedDict):
    """The previous values of changed settings."""

    name: NotRequired[str]
    protectedLabels: NotRequired[list[str]]
    gatedLabels: NotRequired[list[str]]
    labelRules: NotRequired[dict[str, LabelRule]]
    """The labels that require proposals, with their rules. A new workspace has none."""
    dailyBudget: NotRequired[DailyBudget]
    webhook: NotRequired[ActivityDetailPreviousWebhook]
    model: NotRequired[ActivityDetailPreviousModel]


class ActivityDetailModel(TypedDict):
    """The model connection."""

    id: str
    name: str
    host: str


class ActivityDetailPrompts(TypedDict):
    """How many prompts were imported. `replaced` is absent in entries of earlier versions, which
    counted replaced prompts as created.
    """

    created: int
    completed: int
    replaced: NotRequired[int]


class ActivityDetailWebhook(TypedDict):
    """The webhook, with the settings that were changed."""

    id: str
    host: str
    """The host in the URL of the webhook."""
    events: NotRequired[Literal["all"] | list[str]]
    format: NotRequired[str]
    enabled: NotRequired[bool]


class ActivityDetailReleaseArmsItem(TypedDict):
    version: int
    weight: int


class ActivityDetailReleaseGuardsItemDifference(TypedDict):
    """The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of
    releases, the true difference stays between `low` and `high`, however often they are read.
    """

    value: float
    low: float
    high: float


class ActivityDetailReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""
    arm: str
    control: float | None
    """The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the
    geometric mean.
    """
    value: float | None
    """The mean of the arm."""
    difference: ActivityDetailReleaseGuardsItemDifference | None
    verdict: Literal["passed", "worse", "undecided"]
    """`passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is.
    `undecided`: there are not enough results yet.
    """


class ActivityDetailReleaseUnitsItem(TypedDict):
    arm: str
    weight: int
    units: int


class ActivityDetailRelease(TypedDict):
    id: str
    control: int
    arms: list[ActivityDetailReleaseArmsItem]
    cause: NotRequired[Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"]]
    automatic: NotRequired[Literal[True]]
    """The service made the change. `by` is the person or program that started the release."""
    guards: NotRequired[list[ActivityDetailReleaseGuardsItem]]
    """The numbers that led to an automatic change."""
    units: NotRequired[list[ActivityDetailReleaseUnitsItem]]
    """The units that led to an automatic change, with the weights before the change."""


class ActivityDetailProposalChangesItem(TypedDict):
    prompt: str
    label: str
    version: NotRequired[int]


class ActivityDetailProposal(TypedDict):
    id: str
    automatic: NotRequired[Literal[True]]
    """The service applied the proposal at its scheduled time."""
    late: NotRequired[Literal[True]]
    """The service applied the proposal more than 5 minutes after its scheduled time, because the
    service was not running or the last approval was missing.
    """
    message: NotRequired[str]
    changes: NotRequired[list[ActivityDetailProposalChangesItem]]
    verdict: NotRequired[Literal["approve", "decline"]]
    text: NotRequired[str]
    """What the reviewer wrote."""
    problem: NotRequired[str]
    """Why the service could not apply the proposal at its scheduled time."""


class ActivityDetailCases(TypedDict):
    """For a change of test cases: what was done, the name of the first test case, and how many
    were changed.
    """

    action: Literal["added", "changed", "deleted"]
    name: str
    count: int


class ActivityDetailComment(TypedDict):
    """Where the comment was made. The activity does not contain the text of comments."""

    proposal: NotRequired[str]
    """The id of the proposal."""
    version: NotRequired[int]
    candidate: NotRequired[str]
    """The id of the candidate."""
    part: NotRequired[Literal["text", "variables", "tools", "output", "config"]]
    line: NotRequired[int]
    prompt: NotRequired[str]
    """The name of the prompt at that time."""


ActivityDetail = TypedDict(
    "ActivityDetail",
    {
        "userId": "NotRequired[str]",
        "name": "NotRequired[str]",
        "email": "NotRequired[str]",
        "role": "NotRequired[Literal['viewer', 'editor', 'deployer', 'admin', 'owner']]",
        "previousRole": "NotRequired[Literal['viewer', 'editor', 'deployer', 'admin', 'owner']]",
        "workspace": "NotRequired[ActivityDetailWorkspace]",
        "protectedLabels": "NotRequired[list[str]]",
        "gatedLabels": "NotRequired[list[str]]",
        "labelRules": "NotRequired[dict[str, LabelRule]]",
        "dailyBudget": "NotRequired[DailyBudget]",
        "previous": "NotRequired[ActivityDetailPrevious]",
        "provider": "NotRequired[str]",
        "model": "NotRequired[ActivityDetailModel]",
        "prompts": "NotRequired[ActivityDetailPrompts]",
        "prompt": "NotRequired[str]",
        "webhook": "NotRequired[ActivityDetailWebhook]",
        "changed": "NotRequired[list[str]]",
        "version": "NotRequired[int]",
        "message": "NotRequired[str]",
        "label": "NotRequired[str]",
        "from": "NotRequired[str | int | None]",
        "to": "NotRequired[str | int]",
        "override": "NotRequired[str]",
        "overridden": "NotRequired[list[Literal['approval', 'checks']]]",
        "release": "NotRequired[ActivityDetailRelease]",
        "proposal": "NotRequired[ActivityDetailProposal]",
        "cases": "NotRequired[ActivityDetailCases]",
        "copied": "NotRequired[Literal[True]]",
        "comment": "NotRequired[ActivityDetailComment]",
    },
)


class ActivityEntryPrompt(TypedDict):
    id: str
    name: str
    """The current name of the prompt."""
    deletedAt: NotRequired[str]
    """When the prompt was deleted, if it is in the bin."""


class ActivityEntry(TypedDict):
    id: str
    kind: Literal["prompts", "labels", "members", "keys", "settings", "webhooks", "models", "proposals", "comments"]
    type: Literal["created", "version_saved", "version_deleted", "label_moved", "label_removed", "release_started", "release_widened", "release_paused", "release_resumed", "release_rolled_back", "release_finished", "renamed", "described", "deleted", "restored", "cases_changed", "copied", "moved_in", "moved_out", "member_invited", "invitation_removed", "member_joined", "member_role_changed", "member_removed", "member_left", "workspace_transferred", "service_account_created", "service_account_key_reset", "key_reset", "workspace_created", "workspace_changed", "webhook_created", "webhook_changed", "webhook_secret_rotated", "webhook_disabled", "webhook_deleted", "model_created", "model_changed", "model_deleted", "prompts_imported", "prompt_copied", "proposal_opened", "proposal_approved", "proposal_declined", "proposal_applied", "proposal_failed", "proposal_withdrawn", "proposal_expired", "comment_added", "comment_replied", "comment_resolved", "comment_reopened", "comment_deleted"]
    at: str
    by: Person | None
    """Who made the change. Null if the service or its operator made it."""
    prompt: ActivityEntryPrompt | None
    """The prompt that was changed. Null if the entry concerns the workspace."""
    detail: ActivityDetail


class AddedPasskey(TypedDict):
    passkey: Passkey
    recoveryCodes: list[str] | None
    """Ten recovery codes, returned only once. Null if the account already had a second factor.
    Each code works once, together with the password.
    """


class AnsweredCliSignIn(TypedDict):
    redirect: str | None
    """The URL with which the browser returns to the command. Null if the command polls for the
    key.
    """


class Batch(TypedDict):
    items: list[BatchItem]
    """Up to 50 items with different names, and up to 200 labels in total."""
    skipUnchanged: NotRequired[bool]
    """With `true`, no new version is saved if the newest version of a prompt has the same content
    and config, regardless of `baseVersion`. The labels in `labels` then move to the newest
    version. Default: `false`.
    """


class BatchItem(TypedDict):
    """A new prompt, or a new version of the prompt with this name. If you omit the description or
    tags, an existing prompt keeps them.
    """

    name: str
    """1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a folder or
    name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in
    Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`.
    """
    type: NotRequired[Literal["text", "chat"]]
    """Default: `text` with `template`, `chat` with `messages`."""
    description: NotRequired[str]
    tags: NotRequired[list[str]]
    """Up to 20 tags of up to 50 characters."""
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    variables: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: NotRequired[str]
    """The version message: a note about what changed, which the history shows."""
    labels: NotRequired[list[str]]
    """Labels to move to this version."""
    baseVersion: NotRequired[int]
    """The version on which the new version is based. If that version is no longer the newest,
    nothing is saved. 0 means that no prompt with this name may exist.
    """


class BrowserFeedback(TypedDict):
    token: str
    name: str
    """Such as `helpful`."""
    value: float | bool | str
    """A number, true or false, or the name of a category. Values of different types under one
    name are separate scores.
    """
    comment: NotRequired[str]
    """Kept for 90 days and shown with the results."""
    id: NotRequired[str]
    """Feedback that is sent again with the same id is counted once."""


class CandidateChangedBy(TypedDict):
    """Who last changed the content."""

    userId: NotRequired[str]
    """The account or service account. Absent if the change was imported."""
    name: str
    """Their name at that time."""
    via: NotRequired[Literal["api", "dashboard"]]
    """`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were
    saved before the service recorded this.
    """
    imported: NotRequired[Literal[True]]
    """The change was made in another service and imported. A member of this workspace who has the
    same name may be a different person.
    """


class Candidate(TypedDict):
    title: str
    id: str
    """Starts with `cand_`."""
    revision: int
    """Increases with every change. A change that names an older revision is refused with 409
    `candidate_changed`.
    """
    name: str
    type: Literal["text", "chat"]
    syntax: Literal["liquid", "mustache"]
    template: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[Message | Placeholder]]
    """For chat prompts."""
    variables: list[Variable]
    """The declared variables and those that the templates use, including those of included
    prompts.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: str
    baseVersion: int
    createdAt: str
    createdBy: Person
    changedAt: str
    changedBy: CandidateChangedBy
    """Who last changed the content."""


class CandidateApplication(TypedDict):
    revision: int
    """Increases with every change. A change that names an older revision is refused with 409
    `candidate_changed`.
    """
    labels: NotRequired[list[str]]
    """Labels to move to this version."""


class CandidateChange(TypedDict):
    title: str
    """What the candidate is about."""
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    variables: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: NotRequired[str]
    """The version message: a note about what changed, which the history shows."""
    baseVersion: NotRequired[int]
    """The version on which the candidate is based. Default: the newest version, or the
    candidate’s previous base version.
    """
    revision: int
    """Increases with every change. A change that names an older revision is refused with 409
    `candidate_changed`.
    """


class CandidateList(TypedDict):
    data: list[Candidate]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class Case(TypedDict):
    id: str
    """Starts with `c_`."""
    name: str
    variables: dict[str, Any]
    """Values by variable name. The value of a placeholder is an array of messages."""
    checks: list[CaseCheck]
    """The test case passes if all checks pass."""
    createdAt: str
    updatedAt: str


class CaseChange(TypedDict):
    name: NotRequired[str]
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages."""
    checks: NotRequired[list[CaseCheck]]
    """The test case passes if all checks pass."""


class CaseCheck(TypedDict):
    kind: Literal["contains", "notContains", "equals", "matches", "json", "jsonSchema", "maxCharacters", "maxTokens", "maxLatencyMs", "judge"]
    on: NotRequired[Literal["output", "prompt"]]
    """What the check looks at: the model’s output (default), or the rendered prompt, which
    requires no model.
    """
    value: NotRequired[Any]
    """Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`;
    a JSON Schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and
    `maxLatencyMs`; a prompt name for `judge`, unless it has a `rubric`; nothing for `json`.
    """
    rubric: NotRequired[str]
    """For `judge`: the requirement in words, such as “Is polite and names the order”. A rubric
    replaces the prompt in `value`.
    """
    label: NotRequired[str]
    """For `judge`: the label of the prompt. Default: `production`."""
    connection: NotRequired[str]
    """For `judge`: the id or name of the model connection. Default: the connection of the check
    run.
    """
    model: NotRequired[str]
    """For `judge`: the model. Default: the model of its prompt, of its connection, or of the
    check run.
    """


class CaseImportDataItem(TypedDict):
    name: str
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages."""
    checks: NotRequired[list[CaseCheck]]
    """The test case passes if all checks pass."""
    id: NotRequired[str]
    """Ignored. You can send test cases in the format of the list response."""
    createdAt: NotRequired[str]
    """Ignored. You can send test cases in the format of the list response."""
    updatedAt: NotRequired[str]
    """Ignored. You can send test cases in the format of the list response."""


class CaseImport(TypedDict):
    data: list[CaseImportDataItem]
    """Test cases in the format of the list response. They are added to the existing test cases."""


class CaseList(TypedDict):
    data: list[Case]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class CaseResultError(TypedDict):
    code: str
    message: str
    """A description of the error, with the message from the server."""
    status: int | None
    """The status of the server’s response."""
    retryAfterSeconds: int | None
    """How long the server asks you to wait."""


class CaseResult(TypedDict):
    id: str
    name: str
    passed: bool
    checks: list[CheckResult]
    output: str | None
    """The first 4,000 characters of the model’s output. Null if no model was needed."""
    error: CaseResultError | None
    """Why the test case could not be run. Null if the test case ran, even if checks failed."""
    usage: TokenUsage | None
    """The tokens that the model used. Null if no model was needed."""
    cost: float | None
    """The cost in US dollars, including judges. Null if the price is unknown."""
    firstTokenMs: int | None
    """Time until the first token."""
    durationMs: int | None
    """Duration of the model’s response."""


class ChangedReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


ChangedReleaseRulesItem = TypedDict(
    "ChangedReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class ChangedReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""


class ChangedRelease(TypedDict):
    id: str
    label: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    cause: Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"] | None
    """Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not
    match the weights, so the results cannot be trusted. `not_allowed`: the next step would
    need checks or approvals that a version does not have.
    """
    salt: str
    """The arm of a key depends on the salt and the key. It stays the same when weights change."""
    control: int
    arms: list[ChangedReleaseArmsItem]
    rules: list[ChangedReleaseRulesItem]
    metric: str | None
    guards: list[ChangedReleaseGuardsItem]
    steps: list[int]
    step: int
    """The number of steps that the release has reached."""
    minUnits: int
    everyMinutes: int
    onRegression: Literal["rollback", "pause"]
    startedAt: str
    startedBy: Person
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""
    endedAt: str | None


class CheckCandidate(TypedDict):
    """The candidate that was checked. Its check runs also count for the version that is made from
    it.
    """

    title: str
    id: str
    revision: int


class CheckConnection(TypedDict):
    id: str
    name: str


class Check(TypedDict):
    id: str
    """Starts with `k_`."""
    version: int | None
    """Null for a candidate."""
    candidate: NotRequired[CheckCandidate]
    """The candidate that was checked. Its check runs also count for the version that is made from
    it.
    """
    connection: CheckConnection | None
    """Null if no model was needed."""
    model: str | None
    """Null if no model was needed."""
    passed: int
    """How many test cases passed."""
    failed: int
    """How many test cases failed."""
    current: bool
    """Whether the test cases are unchanged since the check run. Gated labels require a current
    check run.
    """
    cost: float | None
    """The cost in US dollars of the models that have a price. Null if no model has a price."""
    durationMs: int
    createdAt: str
    by: Person
    cases: list[CaseResult]


class CheckList(TypedDict):
    data: list[CheckSummary]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class CheckRequest(TypedDict):
    label: NotRequired[str | Literal["latest"]]
    version: NotRequired[int]
    candidate: NotRequired[str]
    """The id of a candidate, instead of a label or a version."""
    connection: NotRequired[str]
    """The id or name of the model connection. Not needed if all checks apply to the rendered
    prompt.
    """
    model: NotRequired[str]
    parallel: NotRequired[int]
    """How many test cases run at the same time."""


class CheckResult(TypedDict):
    kind: Literal["contains", "notContains", "equals", "matches", "json", "jsonSchema", "maxCharacters", "maxTokens", "maxLatencyMs", "judge"]
    on: NotRequired[Literal["output", "prompt"]]
    """What the check looks at: the model’s output (default), or the rendered prompt, which
    requires no model.
    """
    value: NotRequired[Any]
    """Text for `contains`, `notContains` and `equals`; a regular expression (RE2) for `matches`;
    a JSON Schema for `jsonSchema`; a number for `maxCharacters`, `maxTokens` and
    `maxLatencyMs`; a prompt name for `judge`, unless it has a `rubric`; nothing for `json`.
    """
    rubric: NotRequired[str]
    """For `judge`: the requirement in words, such as “Is polite and names the order”. A rubric
    replaces the prompt in `value`.
    """
    label: NotRequired[str]
    """For `judge`: the label of the prompt. Default: `production`."""
    connection: NotRequired[str]
    """For `judge`: the id or name of the model connection. Default: the connection of the check
    run.
    """
    model: NotRequired[str]
    """For `judge`: the model. Default: the model of its prompt, of its connection, or of the
    check run.
    """
    passed: bool
    message: str
    """Why the check failed, or the judge’s answer."""


class CheckSummaryCandidate(TypedDict):
    """The candidate that was checked. Its check runs also count for the version that is made from
    it.
    """

    title: str
    id: str
    revision: int


class CheckSummaryConnection(TypedDict):
    id: str
    name: str


class CheckSummary(TypedDict):
    id: str
    """Starts with `k_`."""
    version: int | None
    """Null for a candidate."""
    candidate: NotRequired[CheckSummaryCandidate]
    """The candidate that was checked. Its check runs also count for the version that is made from
    it.
    """
    connection: CheckSummaryConnection | None
    """Null if no model was needed."""
    model: str | None
    """Null if no model was needed."""
    passed: int
    """How many test cases passed."""
    failed: int
    """How many test cases failed."""
    current: bool
    """Whether the test cases are unchanged since the check run. Gated labels require a current
    check run.
    """
    cost: float | None
    """The cost in US dollars of the models that have a price. Null if no model has a price."""
    durationMs: int
    createdAt: str
    by: Person


class CliSignIn(TypedDict):
    userCode: str
    computer: str
    """The name that the command sent. Nobody has verified it."""
    address: str
    """The IP address from which the command started the sign-in."""
    sameNetwork: bool
    """Whether this request comes from the same address or network as the command."""
    returnsToBrowser: bool
    """Whether only a command on this browser’s computer can receive the key."""
    createdAt: str
    expiresAt: str


class CliSignInClaim(TypedDict):
    verifier: str
    """The random verifier. The challenge is its digest."""
    code: NotRequired[str]
    """The code with which the browser returned to the port. Required if the sign-in has a port."""


class Comment(TypedDict):
    id: str
    at: str
    version: int | None
    label: str | None
    name: str
    """The name of the score."""
    value: str
    """The value of the score, as text."""
    comment: str


class CommentChange(TypedDict):
    text: NotRequired[str]
    """The new text. Only the author can change it. Nobody is notified."""
    resolved: NotRequired[bool]
    """Resolves or reopens the thread. Only for the first comment of a thread."""


class CommentPage(TypedDict):
    data: list[Comment]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class CommentThreads(TypedDict):
    data: list[DiscussionComment]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class ContentPartOption(TypedDict):
    type: Literal["text"]
    text: str
    """A template."""


class ContentPartOption2(TypedDict):
    type: Literal["image"]
    url: str
    """A URL or data URL. `{{ photo }}` takes it from a variable."""
    detail: NotRequired[Literal["auto", "low", "high"]]
    """How closely a model looks at the image."""


class ContentPartOption3(TypedDict):
    type: Literal["image"]
    data: str
    """The bytes in Base64."""
    mediaType: str
    """Such as `image/png`."""
    detail: NotRequired[Literal["auto", "low", "high"]]
    """How closely a model looks at the image."""


class ContentPartOption4(TypedDict):
    type: Literal["audio"]
    data: str
    """The bytes in Base64."""
    mediaType: Literal["audio/wav", "audio/mpeg"]
    """The formats that model APIs accept."""


class ContentPartOption5(TypedDict):
    type: Literal["file"]
    url: str
    """A data URL, or a URL if the model API accepts one."""
    filename: NotRequired[str]
    """The name that the model sees."""


class ContentPartOption6(TypedDict):
    type: Literal["file"]
    data: str
    """The bytes in Base64."""
    mediaType: str
    """Such as `image/png`."""
    filename: NotRequired[str]
    """The name that the model sees."""


ContentPart: TypeAlias = "ContentPartOption | ContentPartOption2 | ContentPartOption3 | ContentPartOption4 | ContentPartOption5 | ContentPartOption6"


class CopiedPromptWorkspace(TypedDict):
    id: str
    name: str


class CopiedPrompt(TypedDict):
    id: str
    name: str
    type: Literal["text", "chat"]
    description: str
    tags: list[str]
    latestVersion: int
    labels: dict[str, int]
    """The version that each label points at."""
    deletedVersions: NotRequired[list[int]]
    """The numbers of deleted versions, which are never used again. Absent if there are none. A
    response with one prompt contains up to 2,000 of the newest numbers, and a list contains at
    least 100 for each prompt.
    """
    createdAt: str
    updatedAt: str
    workspace: CopiedPromptWorkspace
    warnings: list[Warning]
    """Problems that did not prevent the copy. They concern included prompts that do not exist in
    the target workspace, labels that were not copied and, after a move, prompts that can no
    longer be rendered.
    """


class CopyRequest(TypedDict):
    workspace: str
    """The id of the workspace to copy to, in which you need the role `editor`. This can be the
    current workspace.
    """
    name: NotRequired[str]
    """The name of the copy. Default: the name of the prompt."""
    move: NotRequired[bool]
    """Moves the original to the bin of its workspace, in the same transaction. Requires the role
    `editor` in that workspace too.
    """


class CreatedInvitationInvitedBy(TypedDict):
    """Who sent the invitation."""

    userId: str
    name: str
    """Their name at that time."""


class CreatedInvitation(TypedDict):
    id: str
    email: str
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """
    invitedBy: CreatedInvitationInvitedBy
    """Who sent the invitation."""
    createdAt: str
    expiresAt: str
    """7 days after the invitation was created."""
    url: str
    """The link to accept the invitation. The link works once and is not shown again."""
    mailed: bool
    """Whether the mail server accepted an email with the link. If it is false, send the link
    yourself. A failed email is retried for about a minute.
    """


class CreatedPrompt(TypedDict):
    id: str
    name: str
    type: Literal["text", "chat"]
    description: str
    tags: list[str]
    latestVersion: int
    labels: dict[str, int]
    """The version that each label points at."""
    deletedVersions: NotRequired[list[int]]
    """The numbers of deleted versions, which are never used again. Absent if there are none. A
    response with one prompt contains up to 2,000 of the newest numbers, and a list contains at
    least 100 for each prompt.
    """
    createdAt: str
    updatedAt: str
    version: Version
    warnings: list[Warning]
    """Problems that did not prevent saving."""


class CreatedServiceAccount(TypedDict):
    userId: str
    name: str
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """
    token: str
    """The account's API key: `ph_` followed by 64 hexadecimal characters."""


class DailyBudget(TypedDict):
    """The most that runs and check runs may spend per day (UTC). Once the budget is used up, runs
    and check runs are refused with 429 `budget_exceeded`.
    """

    cost: float | None
    """The limit in US dollars. Only runs of models with a price are counted. Null means no limit.
    """
    tokens: int | None
    """The limit in input and output tokens combined. Null means no limit."""


class DependentIncludesItem(TypedDict):
    label: str
    """The label at which the dependent includes this prompt, or the prompt in `via`."""
    version: int
    """The version of the dependent that has the include."""
    labels: list[str]
    """The labels of the dependent that point at this version, including `latest`."""


class Dependent(TypedDict):
    id: str
    name: str
    type: Literal["text", "chat"]
    via: str | None
    """The prompt through which the dependent includes this one. Null if the dependent includes
    this one directly.
    """
    includes: list[DependentIncludesItem]
    callsLast24Hours: int
    """How often the dependent was called in the last 24 hours."""


class DependentList(TypedDict):
    data: list[Dependent]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


Diff = TypedDict(
    "Diff",
    {
        "from": "int | str",
        "to": "int | str",
        "text": "str",
        "config": "str",
    },
)


class DiscussionCommentPrompt(TypedDict):
    id: str
    name: str
    """Empty if the prompt is in the bin."""


class DiscussionCommentAnchor(TypedDict):
    part: Literal["text", "variables", "tools", "output", "config"]
    """The part of the content. `text` is the template, or the messages as in a diff. The others
    are indented JSON.
    """
    line: int
    """The number of the line in the part. The first line is 1."""
    quote: str
    """The text of the line when the comment was made."""


class DiscussionCommentMentionsItem(TypedDict):
    userId: str
    name: str
    """The name or email address, as it appears in the text after `@`."""


class DiscussionCommentResolved(TypedDict):
    at: str
    by: Person


class DiscussionComment(TypedDict):
    id: str
    """Starts with `com_`."""
    thread: str
    """The id of the first comment of the thread."""
    proposal: str | None
    """The proposal to which the comment belongs."""
    prompt: DiscussionCommentPrompt | None
    """The prompt of the version or candidate. Null if the comment is about a proposal as a whole.
    """
    version: int | None
    candidate: str | None
    anchor: DiscussionCommentAnchor | None
    """The line that the comment is about. Null if it is about the whole content."""
    text: str
    mentions: list[DiscussionCommentMentionsItem]
    by: Person
    at: str
    editedAt: str | None
    deletedAt: str | None
    """When the comment was deleted. A deleted comment remains only as the first of a thread with
    replies, and without its text.
    """
    resolved: DiscussionCommentResolved | None
    """When and by whom the thread was resolved. Only the first comment of a thread has this
    field.
    """


class DraftRunRequest(TypedDict):
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    declarations: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    name: NotRequired[str]
    """The name of the prompt to which the draft belongs. The run is listed among the runs of this
    prompt.
    """
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages. Their
    `content` can be a string or an array of parts, such as images.
    """
    connection: str
    """The id or the name of a model connection."""
    model: NotRequired[str]
    """Default: the model in the prompt’s config if the connection offers it, otherwise the first
    model of the connection.
    """
    parameters: NotRequired[dict[str, Any]]
    """Parameters of the request to the model. They override the prompt’s config. Null removes a
    parameter.
    """


class EmailChange(TypedDict):
    email: str
    """The new email address."""
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""


class EmailChangeConfirmation(TypedDict):
    token: str
    """The token in the link."""


class EmailVerification(TypedDict):
    token: str
    """The token in the verification link."""


class ErrorBodyDetailsItem(TypedDict):
    path: str
    """A JSON pointer to the field."""
    message: str
    line: NotRequired[int]
    """The line of a syntax error in a template."""
    column: NotRequired[int]
    """The column of a syntax error in a template."""


class ErrorBody(TypedDict):
    error: str
    """Human-readable text."""
    code: NotRequired[str]
    """Stable machine-readable code in snake_case."""
    details: NotRequired[list[ErrorBodyDetailsItem]]
    """The invalid fields."""
    proposal: NotRequired[NewProposal]
    warnings: NotRequired[list[Warning]]
    """For `has_warnings`: the problems that the request would cause."""


class EvaluatedFlagMetadata(TypedDict):
    prompt: str
    label: str
    version: int
    release: NotRequired[str]
    """The id of the release."""


class EvaluatedFlag(TypedDict):
    key: str
    value: str | dict[str, Any]
    """For a text prompt, its template. For a chat prompt, an object with `messages` and `config`,
    and with `tools` and `output` if the version has them. The texts of included prompts are
    inserted.
    """
    reason: Literal["STATIC", "SPLIT", "TARGETING_MATCH", "DEFAULT"]
    """`STATIC`: the label has no release. `SPLIT`: the key chose the version. `TARGETING_MATCH`:
    a rule chose it. `DEFAULT`: the control, because there is no key.
    """
    variant: str
    """`control`, or `v` followed by the version number."""
    metadata: EvaluatedFlagMetadata


class EvaluatedFlagsFlagsItemMetadata(TypedDict):
    prompt: str
    label: str
    version: int
    release: NotRequired[str]
    """The id of the release."""


class EvaluatedFlagsFlagsItem(TypedDict):
    key: str
    value: str | dict[str, Any]
    """For a text prompt, its template. For a chat prompt, an object with `messages` and `config`,
    and with `tools` and `output` if the version has them. The texts of included prompts are
    inserted.
    """
    reason: Literal["STATIC", "SPLIT", "TARGETING_MATCH", "DEFAULT"]
    """`STATIC`: the label has no release. `SPLIT`: the key chose the version. `TARGETING_MATCH`:
    a rule chose it. `DEFAULT`: the control, because there is no key.
    """
    variant: str
    """`control`, or `v` followed by the version number."""
    metadata: EvaluatedFlagsFlagsItemMetadata


class EvaluatedFlagsFlagsItem2(TypedDict):
    key: str
    errorCode: Literal["PARSE_ERROR", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"]
    errorDetails: str


class EvaluatedFlags(TypedDict):
    flags: list[EvaluatedFlagsFlagsItem | EvaluatedFlagsFlagsItem2]


class EvaluationError(TypedDict):
    key: NotRequired[str]
    errorCode: Literal["PARSE_ERROR", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"]
    errorDetails: str


class EvaluationRequestContext(TypedDict):
    """All attributes except `targetingKey` are the context that the rules of a release use. Only
    strings, numbers and booleans match rules.
    """

    targetingKey: NotRequired[str | None]
    """The key by which a release divides callers, such as the id of a user. Without it, the value
    comes from the control.
    """


class EvaluationRequest(TypedDict):
    context: NotRequired[EvaluationRequestContext]
    """All attributes except `targetingKey` are the context that the rules of a release use. Only
    strings, numbers and booleans match rules.
    """


class FailedRunDetailsItem(TypedDict):
    path: str
    """A JSON pointer to the field."""
    message: str
    line: NotRequired[int]
    """The line of a syntax error in a template."""
    column: NotRequired[int]
    """The column of a syntax error in a template."""


class FailedRun(TypedDict):
    error: str
    """Human-readable text."""
    code: NotRequired[str]
    """Stable machine-readable code in snake_case."""
    details: NotRequired[list[FailedRunDetailsItem]]
    """The invalid fields."""
    proposal: NotRequired[NewProposal]
    warnings: NotRequired[list[Warning]]
    """For `has_warnings`: the problems that the request would cause."""
    run: Run


class Favorite(TypedDict):
    id: str
    """The id of the prompt."""
    name: str
    type: Literal["text", "chat"]


class FavoriteList(TypedDict):
    data: list[Favorite]
    """Sorted by name, at most 200. Prompts in the bin are not listed."""


class Feedback(TypedDict):
    prompt: str
    """The name of a prompt."""
    version: NotRequired[int]
    label: NotRequired[str]
    """The label with which the prompt was fetched. Without a version, the default is
    `production`.
    """
    traceId: NotRequired[str]
    """The id of the trace to which the call belongs. Feedback can refer to it for 72 hours."""
    responseId: NotRequired[str]
    """The id that the model API gave to its response. Feedback can refer to it for 72 hours."""
    key: NotRequired[str]
    """The key with which the prompt was fetched, if neither `traceId` nor `responseId` is sent.
    If the label has a release, the score counts for the release, and the default version is
    the one that the weights assign to the key. Only a hash of the key is kept.
    """
    name: str
    """Such as `helpful`."""
    value: float | bool | str
    """A number, true or false, or the name of a category. Values of different types under one
    name are separate scores.
    """
    comment: NotRequired[str]
    """Kept for 90 days and shown with the results."""
    id: NotRequired[str]
    """Feedback that is sent again with the same id is counted once."""


class FeedbackToken(TypedDict):
    token: str
    expiresAt: str


class FeedbackTokenRequest(TypedDict):
    prompt: str
    """The name of a prompt."""
    version: NotRequired[int]
    label: NotRequired[str]
    key: NotRequired[str]
    """The key with which the prompt was fetched. If the label has a release, the feedback counts
    for the release, and the default version is the one that the weights assign to the key. The
    token contains only a hash of the key.
    """


class Folder(TypedDict):
    path: str
    """Empty for prompts that are not in a folder."""
    prompts: int
    """The number of prompts directly in the folder, excluding prompts in subfolders."""


class FolderList(TypedDict):
    data: list[Folder]
    """The folders that directly contain prompts, sorted, up to 5,000."""
    complete: bool
    """Whether the list is complete."""


class Health(TypedDict):
    status: Literal["ok"]


class History(TypedDict):
    data: list[HistoryEntry]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class HistoryEntryReleaseArmsItem(TypedDict):
    version: int
    weight: int


class HistoryEntryReleaseGuardsItemDifference(TypedDict):
    """The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of
    releases, the true difference stays between `low` and `high`, however often they are read.
    """

    value: float
    low: float
    high: float


class HistoryEntryReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""
    arm: str
    control: float | None
    """The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the
    geometric mean.
    """
    value: float | None
    """The mean of the arm."""
    difference: HistoryEntryReleaseGuardsItemDifference | None
    verdict: Literal["passed", "worse", "undecided"]
    """`passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is.
    `undecided`: there are not enough results yet.
    """


class HistoryEntryReleaseUnitsItem(TypedDict):
    arm: str
    weight: int
    units: int


class HistoryEntryRelease(TypedDict):
    id: str
    control: int
    arms: list[HistoryEntryReleaseArmsItem]
    cause: NotRequired[Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"]]
    automatic: NotRequired[Literal[True]]
    """The service made the change. `by` is the person or program that started the release."""
    guards: NotRequired[list[HistoryEntryReleaseGuardsItem]]
    """The numbers that led to an automatic change."""
    units: NotRequired[list[HistoryEntryReleaseUnitsItem]]
    """The units that led to an automatic change, with the weights before the change."""


class HistoryEntryProposal(TypedDict):
    """The proposal with which the version was saved, the label moved or the release started."""

    id: str
    automatic: NotRequired[Literal[True]]
    """The service applied the proposal at its scheduled time."""
    late: NotRequired[Literal[True]]
    """The service applied the proposal more than 5 minutes after its scheduled time, because the
    service was not running or the last approval was missing.
    """


class HistoryEntryCases(TypedDict):
    """For a change of test cases: what was done, the name of the first test case, and how many
    were changed.
    """

    action: Literal["added", "changed", "deleted"]
    name: str
    count: int


HistoryEntry = TypedDict(
    "HistoryEntry",
    {
        "id": "str",
        "type": "Literal['created', 'version_saved', 'version_deleted', 'label_moved', 'label_removed', 'release_started', 'release_widened', 'release_paused', 'release_resumed', 'release_rolled_back', 'release_finished', 'renamed', 'described', 'deleted', 'restored', 'cases_changed', 'copied', 'moved_in', 'moved_out']",
        "at": "str",
        "by": "Person",
        "version": "NotRequired[int]",
        "message": "NotRequired[str]",
        "label": "NotRequired[str]",
        "from": "NotRequired[str | int | None]",
        "to": "NotRequired[str | int]",
        "override": "NotRequired[str]",
        "overridden": "NotRequired[list[Literal['approval', 'checks']]]",
        "release": "NotRequired[HistoryEntryRelease]",
        "proposal": "NotRequired[HistoryEntryProposal]",
        "cases": "NotRequired[HistoryEntryCases]",
        "workspace": "NotRequired[str]",
        "copied": "NotRequired[Literal[True]]",
    },
)


class Identity(TypedDict):
    issuer: str
    provider: str | None
    """The id of the provider. Null if it is no longer configured."""
    name: str
    """The name of the provider, or its issuer if it is no longer configured."""
    email: str | None
    """The email address that the provider stated last. It may differ from the address of the
    account.
    """
    createdAt: str
    lastUsedAt: str


class IdentityList(TypedDict):
    data: list[Identity]


class IdentityRemoval(TypedDict):
    issuer: str


class ImportedCases(TypedDict):
    data: list[Case]


class ImportedPrompt(TypedDict):
    name: str
    status: Literal["created", "completed", "replaced", "unchanged", "conflict"]
    """`created`: there was no prompt with this name. `completed`: missing parts were added,
    because nobody had changed the prompt here since its last import. `replaced`: the existing
    prompt was moved to the bin. `unchanged`: the existing prompt already has all content of
    the export. `conflict`: the prompt was not imported, and `reason` says why.
    """
    reason: NotRequired[str]
    replaceable: NotRequired[bool]
    """Present if a prompt with the same name exists, so that you can import this one under
    another name. True if `replace` would also resolve the conflict.
    """


class ImportedPrompts(TypedDict):
    data: list[ImportedPrompt]
    """The results, in the order of the request."""


class InvitationInvitedBy(TypedDict):
    """Who sent the invitation."""

    userId: str
    name: str
    """Their name at that time."""


class Invitation(TypedDict):
    id: str
    email: str
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """
    invitedBy: InvitationInvitedBy
    """Who sent the invitation."""
    createdAt: str
    expiresAt: str
    """7 days after the invitation was created."""


class JudgedPrompt(TypedDict):
    name: str
    cases: int
    """The number of its test cases that use this prompt as a judge."""


class JudgedPrompts(TypedDict):
    data: list[JudgedPrompt]


class LabelRule(TypedDict):
    approvals: int
    """How many people must approve a proposal to move the label. 0: the move needs a proposal,
    but no approval.
    """
    authorMayApprove: bool
    """Whether the approvals of those who wrote the content or opened the proposal count."""
    keysMayApply: bool
    """Whether an API key may apply an approved proposal."""
    override: Literal["admin", "owner", "nobody"]
    """The lowest role that may move the label without a proposal by giving a reason (`override`).
    Only members with at least this role may change or remove the rule. If it is `nobody`, only
    the owner may do so.
    """


class LabelTarget(TypedDict):
    version: int
    override: NotRequired[str]
    """The reason for moving a gated label without passing checks. Requires the role `admin`. The
    reason is shown in the history and the event.
    """


class LangfuseBatchBatchItem(TypedDict):
    id: str
    """The id of the event."""
    type: str
    """`generation-create`, `generation-update`, `observation-create` and `observation-update` for
    generations and embeddings that name a prompt, and `score-create`. Events of other types
    are accepted and dropped.
    """
    timestamp: str
    body: dict[str, Any]


class LangfuseBatch(TypedDict):
    batch: list[LangfuseBatchBatchItem]


class LangfuseBatchOutcomeSuccessesItem(TypedDict):
    id: str
    status: int


class LangfuseBatchOutcomeErrorsItem(TypedDict):
    id: str
    status: int
    message: str
    error: str


class LangfuseBatchOutcome(TypedDict):
    successes: list[LangfuseBatchOutcomeSuccessesItem]
    errors: list[LangfuseBatchOutcomeErrorsItem]


class LangfuseErrorError2Item(TypedDict):
    path: list[str | int]
    message: str


class LangfuseError(TypedDict):
    message: str
    error: str | list[LangfuseErrorError2Item]


class LangfuseHealth(TypedDict):
    status: Literal["OK"]
    version: str


class LangfuseLabels(TypedDict):
    newLabels: list[str]


class LangfuseProjectsDataItemOrganization(TypedDict):
    id: str
    name: str


class LangfuseProjectsDataItem(TypedDict):
    id: str
    name: str
    organization: LangfuseProjectsDataItemOrganization
    metadata: dict[str, Any]


class LangfuseProjects(TypedDict):
    data: list[LangfuseProjectsDataItem]


class LangfusePromptPrompt2Item(TypedDict):
    type: Literal["placeholder"]
    name: str


class LangfusePromptPrompt2Item2(TypedDict):
    type: NotRequired[Literal["chatmessage"]]
    role: str
    content: str


class LangfusePromptResolutionGraphRoot(TypedDict):
    id: str
    name: str
    version: int


class LangfusePromptResolutionGraphDependenciesValueItem(TypedDict):
    id: str
    name: str
    version: int


class LangfusePromptResolutionGraph(TypedDict):
    root: LangfusePromptResolutionGraphRoot
    dependencies: dict[str, list[LangfusePromptResolutionGraphDependenciesValueItem]]
    """The includes of each version, by the id of the including version."""


class LangfusePrompt(TypedDict):
    id: str
    projectId: str
    name: str
    type: Literal["text", "chat"]
    version: int
    prompt: str | list[LangfusePromptPrompt2Item | LangfusePromptPrompt2Item2]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    labels: list[str]
    tags: list[str]
    commitMessage: str | None
    createdAt: str
    updatedAt: str
    createdBy: str
    isActive: bool
    """Whether the version has the label `production`."""
    resolutionGraph: LangfusePromptResolutionGraph | None


class LangfusePromptListDataItem(TypedDict):
    name: str
    type: Literal["text", "chat"]
    versions: list[int]
    """The newest 1,000 versions."""
    labels: list[str]
    tags: list[str]
    lastUpdatedAt: str
    lastConfig: Any
    """Null for the remaining prompts once the configs on the page exceed 1 MB in total."""


class LangfusePromptListMeta(TypedDict):
    page: int
    limit: int
    totalItems: int
    totalPages: int


class LangfusePromptListPagination(TypedDict):
    page: int
    limit: int
    totalItems: int
    totalPages: int


class LangfusePromptList(TypedDict):
    data: list[LangfusePromptListDataItem]
    meta: LangfusePromptListMeta
    pagination: LangfusePromptListPagination


class LangfuseRead(TypedDict):
    url: str
    """The address of Langfuse, including its path if it has one."""
    publicKey: str
    secretKey: str
    """Used only for this request. Neither stored nor logged."""
    page: NotRequired[int]
    """The page of the prompt list to read. A page has 50 prompts."""
    name: NotRequired[str]
    """With `version`: the name of the prompt whose version is read."""
    version: NotRequired[int]


class LangfuseResponse(TypedDict):
    status: int
    """The status of Langfuse’s response. 0 if there was no response."""
    body: str | None
    """The JSON text of the response, if the status is 200."""
    retryAfter: str | None
    """The `Retry-After` header of the response, if there is one."""
    problem: str | None
    """A sentence that says what is wrong."""


class LangfuseScoreReceipt(TypedDict):
    id: str


class ListedPromptReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


ListedPromptReleaseRulesItem = TypedDict(
    "ListedPromptReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class ListedPromptRelease(TypedDict):
    """With `include=content`, if the label has a release. `version` is the control, unless the
    query has a `key` or a context.
    """

    id: str
    salt: str
    control: int
    arms: list[ListedPromptReleaseArmsItem]
    rules: list[ListedPromptReleaseRulesItem]
    versions: list[Version]
    """The versions of the arms."""


class ListedPromptAuthor(TypedDict):
    """With `include=author`: who saved the newest version."""

    userId: NotRequired[str]
    """The account or service account. Absent if the change was imported."""
    name: str
    """Their name at that time."""
    via: NotRequired[Literal["api", "dashboard"]]
    """`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were
    saved before the service recorded this.
    """
    imported: NotRequired[Literal[True]]
    """The change was made in another service and imported. A member of this workspace who has the
    same name may be a different person.
    """


class ListedPromptReleasesValueArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


class ListedPromptReleasesValue(TypedDict):
    id: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    control: int
    arms: list[ListedPromptReleasesValueArmsItem]
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""


class ListedPrompt(TypedDict):
    id: str
    name: str
    type: Literal["text", "chat"]
    description: str
    tags: list[str]
    latestVersion: int
    labels: dict[str, int]
    """The version that each label points at."""
    deletedVersions: NotRequired[list[int]]
    """The numbers of deleted versions, which are never used again. Absent if there are none. A
    response with one prompt contains up to 2,000 of the newest numbers, and a list contains at
    least 100 for each prompt.
    """
    createdAt: str
    updatedAt: str
    deletedAt: NotRequired[str]
    """With `deleted=true`: when the prompt was moved to the bin."""
    deletedBy: NotRequired[Person]
    version: NotRequired[Version | None]
    """With `include=content`: the version at `label`, or null if there is none."""
    release: NotRequired[ListedPromptRelease]
    """With `include=content`, if the label has a release. `version` is the control, unless the
    query has a `key` or a context.
    """
    author: NotRequired[ListedPromptAuthor]
    """With `include=author`: who saved the newest version."""
    usage: NotRequired[PromptUsage]
    releases: NotRequired[dict[str, ListedPromptReleasesValue]]
    """The last release of each label, which may have ended. Absent if there are none, and with
    `include=content`.
    """
    matches: NotRequired[list[SearchMatch]]
    """With `search`: the first lines that contain the text, at most 5, from the newest version
    that contains it.
    """


class Login(TypedDict):
    email: str
    password: str
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""


class LogoutAccepted(TypedDict):
    status: Literal["ok"]


class LogoutToken(TypedDict):
    """A logout token of OpenID Connect Back-Channel Logout 1.0."""

    logout_token: str


class LogsResponsePartialSuccess(TypedDict):
    rejectedLogRecords: str
    """The number of log records that were refused, as text."""
    errorMessage: str


class LogsResponse(TypedDict):
    partialSuccess: NotRequired[LogsResponsePartialSuccess]


McpMessage: TypeAlias = "Any"


class Member(TypedDict):
    userId: str
    """Starts with `u_`."""
    name: str
    email: str | None
    """Null for a service account."""
    kind: Literal["person", "service"]
    """`service`: an account for a program, which cannot sign in."""
    role: Literal["viewer", "editor", "deployer", "admin", "owner"]
    joinedAt: str
    """When the member joined. For the owner and service accounts: when the account was created."""
    keyCreatedAt: NotRequired[str]
    """When the key was created. Only for service accounts."""
    keyLastUsedAt: NotRequired[str | None]
    """When the key was last used. Null if never. Only for service accounts."""


class MemberChange(TypedDict):
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """


class MemberList(TypedDict):
    data: list[Member]
    """The owner comes first, followed by the other members, sorted by id."""
    invitations: list[Invitation]
    """The open invitations, which are listed after all members. Only admins can see them."""
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class Message(TypedDict):
    role: str
    """`system`, `developer`, `user`, `assistant` or `tool`. In a mustache version, any string."""
    content: str | list[ContentPart]
    """A template, or a list of parts: text, images, audio and files."""


class ModelConnectionPricesValue(TypedDict):
    input: float
    """US dollars per million input tokens."""
    output: float
    """US dollars per million output tokens."""


class ModelConnection(TypedDict):
    id: str
    """Starts with `m_`."""
    name: str
    """Unique in the workspace. Runs can refer to the connection by this name."""
    kind: Literal["openai", "anthropic", "gemini"]
    """The protocol of the server: `openai` for chat completions, which most servers have,
    `anthropic` for the Messages API, and `gemini` for the Gemini API. Runs have the same input
    and events with every protocol.
    """
    baseUrl: str
    """The base URL of the server’s API, to which the service appends `/models`,
    `/chat/completions`, `/messages` or `/models/{model}:streamGenerateContent`. It usually
    ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    models: list[str]
    """The models that can be used. The first is the default. If the list is empty, all models are
    allowed.
    """
    prices: dict[str, ModelConnectionPricesValue]
    """Prices by model. They replace the built-in list prices of well-known models from OpenAI,
    Anthropic and Google. The cost of a run is unknown if its model has no price at all.
    """
    keyHint: str | None
    """The last four characters of the key. Null without a key."""
    createdAt: str
    updatedAt: str


class ModelConnectionChangePricesValue(TypedDict):
    input: float
    """US dollars per million input tokens."""
    output: float
    """US dollars per million output tokens."""


class ModelConnectionChange(TypedDict):
    name: NotRequired[str]
    """Unique in the workspace. Runs can refer to the connection by this name."""
    kind: NotRequired[Literal["openai", "anthropic", "gemini"]]
    """The protocol of the server: `openai` for chat completions, which most servers have,
    `anthropic` for the Messages API, and `gemini` for the Gemini API. Runs have the same input
    and events with every protocol.
    """
    baseUrl: NotRequired[str]
    """Changing the address deletes the stored key unless you send a new one."""
    models: NotRequired[list[str]]
    """The models that can be used. The first is the default. If the list is empty, all models are
    allowed.
    """
    prices: NotRequired[dict[str, ModelConnectionChangePricesValue]]
    """Prices by model. They replace the built-in list prices of well-known models from OpenAI,
    Anthropic and Google. The cost of a run is unknown if its model has no price at all.
    """
    apiKey: NotRequired[str | None]
    """A new key, or null to remove it."""


class ModelConnectionList(TypedDict):
    data: list[ModelConnection]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class ModelConnectionTest(TypedDict):
    ok: bool
    models: list[str]
    """The models that the server offers, up to 1,000. Empty if the server does not list its
    models.
    """
    problem: str | None
    """The problem and how to solve it. Null if the connection works."""
    durationMs: int


class NewCandidate(TypedDict):
    title: str
    """What the candidate is about."""
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    variables: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: NotRequired[str]
    """The version message: a note about what changed, which the history shows."""
    baseVersion: NotRequired[int]
    """The version on which the candidate is based. Default: the newest version, or the
    candidate’s previous base version.
    """


class NewCase(TypedDict):
    name: str
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages."""
    checks: NotRequired[list[CaseCheck]]
    """The test case passes if all checks pass."""


class NewCliSignIn(TypedDict):
    challenge: str
    """The SHA-256 digest of a random verifier, in base64url."""
    computer: str
    """The name of the computer, which the person who approves the sign-in sees."""
    port: NotRequired[int]
    """The port on 127.0.0.1 to which the browser returns with a code. Without a port, the person
    types the user code in the dashboard, and the command polls until the sign-in is approved.
    """


class NewCommentAnchor(TypedDict):
    part: Literal["text", "variables", "tools", "output", "config"]
    """The part of the content. `text` is the template, or the messages as in a diff. The others
    are indented JSON.
    """
    line: int
    """The number of the line in the part. The first line is 1."""


class NewComment(TypedDict):
    text: str
    """`@` with the name or email address of a member mentions this member."""
    proposal: NotRequired[str]
    """The proposal. With `prompt`, the comment is also about its version or candidate."""
    prompt: NotRequired[str]
    """The name of the prompt."""
    version: NotRequired[int]
    """The version of the prompt."""
    candidate: NotRequired[str]
    """The id of a candidate of the prompt, instead of a version."""
    anchor: NotRequired[NewCommentAnchor]
    replyTo: NotRequired[str]
    """The id of a comment in the thread to reply to. Then send only `text`."""


class NewInvitation(TypedDict):
    email: str
    """Only the account with this email can accept the invitation. Case-insensitive."""
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """


class NewLabelRule(TypedDict):
    approvals: int
    """How many people must approve a proposal to move the label. 0: the move needs a proposal,
    but no approval.
    """
    authorMayApprove: NotRequired[bool]
    """Whether the approvals of those who wrote the content or opened the proposal count."""
    keysMayApply: NotRequired[bool]
    """Whether an API key may apply an approved proposal."""
    override: NotRequired[Literal["admin", "owner", "nobody"]]
    """The lowest role that may move the label without a proposal by giving a reason (`override`).
    Only members with at least this role may change or remove the rule. If it is `nobody`, only
    the owner may do so.
    """


class NewLangfusePromptPrompt2Item(TypedDict):
    type: Literal["placeholder"]
    name: str


class NewLangfusePromptPrompt2Item2(TypedDict):
    type: NotRequired[Literal["chatmessage"]]
    role: str
    content: str


class NewLangfusePrompt(TypedDict):
    name: str
    type: NotRequired[Literal["text", "chat"]]
    prompt: str | list[NewLangfusePromptPrompt2Item | NewLangfusePromptPrompt2Item2]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    labels: NotRequired[list[str] | None]
    tags: NotRequired[list[str] | None]
    commitMessage: NotRequired[str | None]


class NewLangfuseScore(TypedDict):
    id: NotRequired[str]
    """A score that is sent again with the same id is counted once."""
    traceId: NotRequired[str | None]
    observationId: NotRequired[str | None]
    name: str
    value: float | bool | str
    dataType: NotRequired[str | None]
    comment: NotRequired[str | None]


class NewModelConnectionPricesValue(TypedDict):
    input: float
    """US dollars per million input tokens."""
    output: float
    """US dollars per million output tokens."""


class NewModelConnection(TypedDict):
    name: str
    """Unique in the workspace. Runs can refer to the connection by this name."""
    kind: NotRequired[Literal["openai", "anthropic", "gemini"]]
    """The protocol of the server. Default: `openai`."""
    baseUrl: str
    """The base URL of the server’s API, to which the service appends `/models`,
    `/chat/completions`, `/messages` or `/models/{model}:streamGenerateContent`. It usually
    ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    models: NotRequired[list[str]]
    """The models that can be used. The first is the default. If the list is empty, all models are
    allowed.
    """
    prices: NotRequired[dict[str, NewModelConnectionPricesValue]]
    """Prices by model. They replace the built-in list prices of well-known models from OpenAI,
    Anthropic and Google. The cost of a run is unknown if its model has no price at all.
    """
    apiKey: NotRequired[str]
    """Sent in the header of the protocol: `Authorization`, `x-api-key` or `x-goog-api-key`.
    Stored encrypted, for this base address only, and never shown again.
    """


class NewPasskeyCredential(TypedDict):
    """The new credential that the browser returned."""

    id: str
    """The id of the credential."""
    clientDataJSON: str
    """The client data, in base64url."""
    attestationObject: str
    """The attestation object, in base64url."""
    transports: NotRequired[list[str]]


class NewPasskey(TypedDict):
    name: str
    """A name for the passkey, 1 to 100 characters."""
    credential: NewPasskeyCredential
    """The new credential that the browser returned."""


class NewPrompt(TypedDict):
    name: str
    """1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a folder or
    name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in
    Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`.
    """
    type: NotRequired[Literal["text", "chat"]]
    """Default: `text` with `template`, `chat` with `messages`."""
    description: NotRequired[str]
    tags: NotRequired[list[str]]
    """Up to 20 tags of up to 50 characters."""
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    variables: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: NotRequired[str]
    """The version message: a note about what changed, which the history shows."""
    labels: NotRequired[list[str]]
    """Labels to move to this version."""


class NewProposalChangesItem(TypedDict):
    prompt: str
    """The name of the prompt."""
    label: str
    """A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a letter or digit."""
    version: NotRequired[int]
    """The version to move the label to."""
    candidate: NotRequired[str]
    """The id of the candidate to make a version from."""
    release: NotRequired[ProposedRelease]


class NewProposal(TypedDict):
    """For `approval_required`: the body with which you can propose the change with `POST
    /api/proposals`.
    """

    changes: list[NewProposalChangesItem]
    """The labels to move. Each has exactly one of `version`, `candidate` and `release`. All of
    them move in one transaction.
    """
    message: NotRequired[str]
    """What the proposal is for."""
    reviewers: NotRequired[list[str]]
    """The ids of members who are asked for a review."""
    applyAt: NotRequired[str]
    """When the service applies the proposal, once it is approved. Without it, a person applies
    the proposal.
    """


class NewReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


NewReleaseRulesItem = TypedDict(
    "NewReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class NewReleaseGuardsItem(TypedDict):
    metric: str
    """`errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as
    `score:helpful`.
    """
    margin: NotRequired[float]
    """How much worse than the control an arm may be. For `errorRate`, a difference of shares:
    0.02 allows 7% of failed calls instead of 5%. Default: 0.02. For `latency` and `cost`, a
    ratio: 0.1 allows 10% more. Default: 0.1. For a score, a difference of means. A score has
    no default, so its margin is required.
    """
    better: NotRequired[Literal["higher", "lower"]]
    """Which values of a score are better. Default: `higher`."""


class NewRelease(TypedDict):
    control: int
    """The version for everyone who gets no arm. If the label points at another version, the label
    is moved to this version first.
    """
    arms: list[NewReleaseArmsItem]
    rules: NotRequired[list[NewReleaseRulesItem]]
    """The first matching rule decides. Rules take precedence over weights, and also apply to
    callers without a key. All rules together: up to 16,384 characters.
    """
    metric: NotRequired[str]
    """`errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as
    `score:helpful`.
    """
    guards: NotRequired[list[NewReleaseGuardsItem]]
    """What an arm must not make worse. Default: `errorRate`."""
    steps: NotRequired[list[int]]
    """Increasing weights for the only arm. The service widens the arm to the next weight once
    every guard has passed. Without steps, only people widen the arms.
    """
    minUnits: NotRequired[int]
    """The number of units (keys with results) that the control and each arm need before the next
    step. Up to 200,000 units are kept per step. The number is therefore refused if a version
    has too small a share of the keys to ever have so many units.
    """
    everyMinutes: NotRequired[int]
    """The shortest time between two steps."""
    onRegression: NotRequired[Literal["rollback", "pause"]]
    """What happens if an arm is worse than a guard allows. `rollback`: everyone gets the control
    again.
    """
    override: NotRequired[str]
    """The reason for moving a gated label without passing checks. Requires the role `admin`. The
    reason is shown in the history and the event.
    """


class NewReview(TypedDict):
    verdict: Literal["approve", "decline"]
    """`decline` ends the proposal."""
    text: NotRequired[str]
    revision: str
    """The revision that was reviewed."""


class NewServiceAccount(TypedDict):
    name: str
    """The name of the program, 1 to 100 characters."""
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """


class NewToken(TypedDict):
    token: str
    """The account's API key: `ph_` followed by 64 hexadecimal characters."""


class NewVersion(TypedDict):
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    variables: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: NotRequired[str]
    """The version message: a note about what changed, which the history shows."""
    labels: NotRequired[list[str]]
    """Labels to move to this version."""
    baseVersion: NotRequired[int]
    """The version on which the new version is based. If that version is no longer the newest, the
    response is 409.
    """


class NewView(TypedDict):
    name: str
    filters: ViewFilters


class NewWebhook(TypedDict):
    url: str
    """The URL to which events are sent with POST. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    events: NotRequired[Literal["all"] | list[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]]]
    """The types of events to send, or `all` for all events, including future ones. Default:
    `all`.
    """
    description: NotRequired[str]
    format: NotRequired[Literal["json", "slack"]]
    """`json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default:
    `json`.
    """
    enabled: NotRequired[bool]
    """Events that happen while the webhook is disabled are not sent later."""


class NewWorkspace(TypedDict):
    name: str
    """The name of the workspace, 1 to 100 characters."""


class NotificationWorkspace(TypedDict):
    id: str
    name: str
    """The name of the workspace at that time."""


class NotificationBy(TypedDict):
    userId: str
    name: str


class Notification(TypedDict):
    id: str
    """Starts with `n_`."""
    kind: Literal["invited", "role_changed", "removed", "workspace_transferred", "webhook_disabled", "budget_used_up", "release_stopped", "review_requested", "proposal_reviewed", "proposal_applied", "proposal_failed", "mentioned", "comment_added", "new_sign_in"]
    at: str
    read: bool
    text: str
    path: str | None
    """The dashboard page that the notification is about."""
    workspace: NotificationWorkspace | None
    by: NotificationBy | None
    """Who caused the notification. Null if the service did."""


class NotificationList(TypedDict):
    data: list[Notification]
    nextCursor: str | None
    """The `cursor` of the next page. Null on the last page."""
    unread: int
    """The number of unread notifications on all pages."""


class NotificationSettingsInvited(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsRoleChanged(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsRemoved(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsWorkspaceTransferred(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsWebhookDisabled(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsBudgetUsedUp(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsReleaseStopped(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsReviewRequested(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsProposalReviewed(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsProposalApplied(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsProposalFailed(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsMentioned(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsCommentAdded(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsNewSignIn(TypedDict):
    page: bool
    """Whether the dashboard shows such notifications."""
    email: bool
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettings(TypedDict):
    invited: NotificationSettingsInvited
    role_changed: NotificationSettingsRoleChanged
    removed: NotificationSettingsRemoved
    workspace_transferred: NotificationSettingsWorkspaceTransferred
    webhook_disabled: NotificationSettingsWebhookDisabled
    budget_used_up: NotificationSettingsBudgetUsedUp
    release_stopped: NotificationSettingsReleaseStopped
    review_requested: NotificationSettingsReviewRequested
    proposal_reviewed: NotificationSettingsProposalReviewed
    proposal_applied: NotificationSettingsProposalApplied
    proposal_failed: NotificationSettingsProposalFailed
    mentioned: NotificationSettingsMentioned
    comment_added: NotificationSettingsCommentAdded
    new_sign_in: NotificationSettingsNewSignIn


class NotificationSettingsChangeInvited(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeRoleChanged(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeRemoved(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeWorkspaceTransferred(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeWebhookDisabled(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeBudgetUsedUp(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeReleaseStopped(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeReviewRequested(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeProposalReviewed(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeProposalApplied(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeProposalFailed(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeMentioned(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeCommentAdded(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChangeNewSignIn(TypedDict):
    page: NotRequired[bool]
    """Whether the dashboard shows such notifications."""
    email: NotRequired[bool]
    """Whether such notifications are sent by email. Emails are sent only if the service has a
    mail server and the address is verified.
    """


class NotificationSettingsChange(TypedDict):
    invited: NotRequired[NotificationSettingsChangeInvited]
    role_changed: NotRequired[NotificationSettingsChangeRoleChanged]
    removed: NotRequired[NotificationSettingsChangeRemoved]
    workspace_transferred: NotRequired[NotificationSettingsChangeWorkspaceTransferred]
    webhook_disabled: NotRequired[NotificationSettingsChangeWebhookDisabled]
    budget_used_up: NotRequired[NotificationSettingsChangeBudgetUsedUp]
    release_stopped: NotRequired[NotificationSettingsChangeReleaseStopped]
    review_requested: NotRequired[NotificationSettingsChangeReviewRequested]
    proposal_reviewed: NotRequired[NotificationSettingsChangeProposalReviewed]
    proposal_applied: NotRequired[NotificationSettingsChangeProposalApplied]
    proposal_failed: NotRequired[NotificationSettingsChangeProposalFailed]
    mentioned: NotRequired[NotificationSettingsChangeMentioned]
    comment_added: NotRequired[NotificationSettingsChangeCommentAdded]
    new_sign_in: NotRequired[NotificationSettingsChangeNewSignIn]


class OtlpError(TypedDict):
    code: int
    """A gRPC status code."""
    message: str


class Output(TypedDict):
    """The schema that the output of the model must follow."""

    schema: dict[str, Any]
    """A JSON Schema (2020-12). Descriptions in it may be templates."""
    name: NotRequired[str]
    """The name of the schema in the request to the model."""
    strict: NotRequired[bool]
    """Whether the model must follow the schema exactly, where the model API supports it."""


class OverviewAuthorsItem(TypedDict):
    userId: str
    name: str
    """The name of the author when they saved a version."""


class Overview(TypedDict):
    prompts: int
    """The number of prompts that match the filters, excluding the bin."""
    tags: list[str]
    """The tags in use, sorted, up to 500."""
    labels: list[str]
    """The labels in use, sorted, up to 500."""
    authors: list[OverviewAuthorsItem]
    """The people and programs that have saved versions, including former members, up to 100."""


class Passkey(TypedDict):
    id: str
    name: str
    host: str
    """The host at which the passkey works: that of `PUBLIC_URL` when it was created."""
    createdAt: str
    lastUsedAt: str | None
    """The time of the last sign-in with the passkey. Null if there was none."""


class PasskeyAssertion(TypedDict):
    id: str
    """The id of the credential."""
    clientDataJSON: str
    """The client data, in base64url."""
    authenticatorData: str
    """The authenticator data, in base64url."""
    signature: str
    """The signature, in base64url."""
    userHandle: str
    """The user handle, in base64url. It identifies the account."""


class PasskeyChange(TypedDict):
    name: str
    """A name for the passkey, 1 to 100 characters."""


PasskeyCreationOptions: TypeAlias = "dict[str, Any]"


class PasskeyList(TypedDict):
    data: list[Passkey]


PasskeyRequestOptions: TypeAlias = "dict[str, Any]"


class PasswordChange(TypedDict):
    currentPassword: NotRequired[str]
    """Required if the account has a password. Without one, this session needs a sign-in or a
    confirmation within the last 10 minutes.
    """
    newPassword: str


class PasswordReset(TypedDict):
    token: str
    """The token in the reset link."""
    newPassword: str
    """8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are
    rejected.
    """


class PasswordResetAccepted(TypedDict):
    """Always the same, whether or not the account exists."""

    status: Literal["ok"]


class PasswordResetRequest(TypedDict):
    email: str


class Person(TypedDict):
    userId: NotRequired[str]
    """The account or service account. Absent if the change was imported."""
    name: str
    """Their name at that time."""
    via: NotRequired[Literal["api", "dashboard"]]
    """`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were
    saved before the service recorded this.
    """
    imported: NotRequired[Literal[True]]
    """The change was made in another service and imported. A member of this workspace who has the
    same name may be a different person.
    """


class Placeholder(TypedDict):
    placeholder: str
    """The name of the variable that holds the caller’s messages."""


class Preview(TypedDict):
    text: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[RenderedMessage]]
    """For chat prompts."""
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    variables: list[Variable]
    placeholders: NotRequired[dict[str, Any]]
    """With `placeholders`: the values shown for missing required variables, by name."""
    problem: NotRequired[str]
    """With `problems`: why the template cannot be rendered, such as an included prompt that does
    not exist.
    """


class PreviewRequest(TypedDict):
    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    """A template, up to 262,144 characters."""
    messages: NotRequired[list[Message | Placeholder]]
    declarations: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: NotRequired[Any]
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    candidate: NotRequired[str]
    """The id of a candidate of the prompt `name`, instead of content and `config`."""
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages."""
    name: NotRequired[str]
    """The name of the prompt to which the draft or the candidate belongs. If the draft includes
    this prompt, rendering fails, because a prompt cannot include itself.
    """
    placeholders: NotRequired[bool]
    """With `true`, missing required variables are shown by name, such as ‹customer.name›.
    Otherwise the response is 422.
    """
    problems: NotRequired[bool]
    """With `true`, the response for a template that cannot be rendered contains its variables and
    a `problem`. Otherwise the response is 422.
    """


class Prompt(TypedDict):
    id: str
    name: str
    type: Literal["text", "chat"]
    description: str
    tags: list[str]
    latestVersion: int
    labels: dict[str, int]
    """The version that each label points at."""
    deletedVersions: NotRequired[list[int]]
    """The numbers of deleted versions, which are never used again. Absent if there are none. A
    response with one prompt contains up to 2,000 of the newest numbers, and a list contains at
    least 100 for each prompt.
    """
    createdAt: str
    updatedAt: str


class PromptChange(TypedDict):
    name: NotRequired[str]
    """1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a folder or
    name is never empty, `.` or `..`, and neither starts nor ends with a space. Stored in
    Unicode form NFC. In a URL path, encode it as one segment: `support%2Ftriage`.
    """
    description: NotRequired[str]
    tags: NotRequired[list[str]]
    """Up to 20 tags of up to 50 characters."""


class PromptKeyCount(TypedDict):
    keys: int
    """The number of distinct keys with which any label of the prompt was read, or with which its
    calls were reported. It is exact up to 512, and above that accurate to about 5%. A caller
    that sends no key is not counted.
    """
    days: int
    """The number of days that are counted, including today (UTC)."""


class PromptList(TypedDict):
    data: list[ListedPrompt]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class PromptResultsTotalsErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsTotalsDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsTotalsFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsTotalsErrorTypesItem(TypedDict):
    type: str
    calls: int


class PromptResultsTotalsScoresItemCategoriesItem(TypedDict):
    value: str
    count: int


class PromptResultsTotalsScoresItem(TypedDict):
    name: str
    kind: Literal["number", "boolean", "category"]
    count: int
    mean: float | None
    """For booleans, the share of `true`. Null for categories."""
    low: float | None
    """The lower bound of the 95% confidence interval of the mean. Null for categories and for a
    single value.
    """
    high: float | None
    categories: list[PromptResultsTotalsScoresItemCategoriesItem]
    """Empty unless the values are categories."""


class PromptResultsTotals(TypedDict):
    calls: int
    errors: int
    errorRate: PromptResultsTotalsErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsTotalsDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsTotalsFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""
    errorTypes: list[PromptResultsTotalsErrorTypesItem]
    """Most frequent first. `other` counts the rest."""
    scores: list[PromptResultsTotalsScoresItem]
    """Sorted by name."""


class PromptResultsVersionsItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsVersionsItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsVersionsItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsVersionsItemErrorTypesItem(TypedDict):
    type: str
    calls: int


class PromptResultsVersionsItemScoresItemCategoriesItem(TypedDict):
    value: str
    count: int


class PromptResultsVersionsItemScoresItem(TypedDict):
    name: str
    kind: Literal["number", "boolean", "category"]
    count: int
    mean: float | None
    """For booleans, the share of `true`. Null for categories."""
    low: float | None
    """The lower bound of the 95% confidence interval of the mean. Null for categories and for a
    single value.
    """
    high: float | None
    categories: list[PromptResultsVersionsItemScoresItemCategoriesItem]
    """Empty unless the values are categories."""


class PromptResultsVersionsItem(TypedDict):
    version: int | None
    """Null for calls that were reported without a version."""
    calls: int
    errors: int
    errorRate: PromptResultsVersionsItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsVersionsItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsVersionsItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""
    errorTypes: list[PromptResultsVersionsItemErrorTypesItem]
    """Most frequent first. `other` counts the rest."""
    scores: list[PromptResultsVersionsItemScoresItem]
    """Sorted by name."""


class PromptResultsModelsItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsModelsItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsModelsItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsModelsItem(TypedDict):
    model: str | None
    """Null for calls without a model, and for calls beyond the limit of 100 models per hour."""
    calls: int
    errors: int
    errorRate: PromptResultsModelsItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsModelsItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsModelsItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""


class PromptResultsSeriesItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsSeriesItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsSeriesItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsSeriesItemVersionsItem(TypedDict):
    version: int | None
    """Null for calls that were reported without a version."""
    calls: int
    errors: int


class PromptResultsSeriesItem(TypedDict):
    time: str
    """The start of the interval."""
    calls: int
    errors: int
    errorRate: PromptResultsSeriesItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsSeriesItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsSeriesItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""
    versions: list[PromptResultsSeriesItemVersionsItem]


PromptResultsDeploymentsItem = TypedDict(
    "PromptResultsDeploymentsItem",
    {
        "at": "str",
        "label": "str",
        "version": "int",
        "from": "int | None",
    },
)


class PromptResultsComparisonCurrentErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsComparisonCurrentDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsComparisonCurrentFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsComparisonCurrentErrorTypesItem(TypedDict):
    type: str
    calls: int


class PromptResultsComparisonCurrentScoresItemCategoriesItem(TypedDict):
    value: str
    count: int


class PromptResultsComparisonCurrentScoresItem(TypedDict):
    name: str
    kind: Literal["number", "boolean", "category"]
    count: int
    mean: float | None
    """For booleans, the share of `true`. Null for categories."""
    low: float | None
    """The lower bound of the 95% confidence interval of the mean. Null for categories and for a
    single value.
    """
    high: float | None
    categories: list[PromptResultsComparisonCurrentScoresItemCategoriesItem]
    """Empty unless the values are categories."""


class PromptResultsComparisonCurrent(TypedDict):
    version: int
    calls: int
    errors: int
    errorRate: PromptResultsComparisonCurrentErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsComparisonCurrentDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsComparisonCurrentFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""
    errorTypes: list[PromptResultsComparisonCurrentErrorTypesItem]
    """Most frequent first. `other` counts the rest."""
    scores: list[PromptResultsComparisonCurrentScoresItem]
    """Sorted by name."""


class PromptResultsComparisonPreviousErrorRate(TypedDict):
    value: float
    low: float
    high: float


class PromptResultsComparisonPreviousDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class PromptResultsComparisonPreviousFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class PromptResultsComparisonPreviousErrorTypesItem(TypedDict):
    type: str
    calls: int


class PromptResultsComparisonPreviousScoresItemCategoriesItem(TypedDict):
    value: str
    count: int


class PromptResultsComparisonPreviousScoresItem(TypedDict):
    name: str
    kind: Literal["number", "boolean", "category"]
    count: int
    mean: float | None
    """For booleans, the share of `true`. Null for categories."""
    low: float | None
    """The lower bound of the 95% confidence interval of the mean. Null for categories and for a
    single value.
    """
    high: float | None
    categories: list[PromptResultsComparisonPreviousScoresItemCategoriesItem]
    """Empty unless the values are categories."""


class PromptResultsComparisonPrevious(TypedDict):
    version: int
    calls: int
    errors: int
    errorRate: PromptResultsComparisonPreviousErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: PromptResultsComparisonPreviousDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: PromptResultsComparisonPreviousFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""
    errorTypes: list[PromptResultsComparisonPreviousErrorTypesItem]
    """Most frequent first. `other` counts the rest."""
    scores: list[PromptResultsComparisonPreviousScoresItem]
    """Sorted by name."""


class PromptResultsComparison(TypedDict):
    label: str
    since: str
    """When the label was moved to its current version."""
    current: PromptResultsComparisonCurrent
    previous: PromptResultsComparisonPrevious


class PromptResultsReleasesItemArmsItem(TypedDict):
    arm: str
    """`control`, or the version of the arm, such as `v4`."""
    version: int
    weight: int
    """In ten-thousandths of the keys. If the release has ended: the last weight."""
    reads: int
    """How often a key or a rule chose the version in the range. Does not depend on `status`,
    `label` or `model`.
    """
    units: int
    """The keys with results since the weights last changed."""
    calls: int
    """The reported calls with these keys."""


class PromptResultsReleasesItem(TypedDict):
    id: str
    label: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    startedAt: str
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""
    endedAt: str | None
    readsWithoutKey: int
    """The reads in the range without a key, which got the control."""
    arms: list[PromptResultsReleasesItemArmsItem]
    """The control first, then the arms."""


PromptResults = TypedDict(
    "PromptResults",
    {
        "from": "str",
        "to": "str",
        "now": "str",
        "interval": "Literal['hour'] | Literal['day']",
        "timeZone": "str",
        "totals": "PromptResultsTotals",
        "versions": "list[PromptResultsVersionsItem]",
        "models": "list[PromptResultsModelsItem]",
        "series": "list[PromptResultsSeriesItem]",
        "deployments": "list[PromptResultsDeploymentsItem]",
        "comparison": "PromptResultsComparison | None",
        "releases": "list[PromptResultsReleasesItem]",
    },
)


class PromptUsage(TypedDict):
    callsLast24Hours: int
    lastUsedAt: str | None
    """The hour of the last call, or the day if it was more than 90 days ago. Null if there was no
    call.
    """


class ProposalChangesItemPrompt(TypedDict):
    id: str
    name: str


class ProposalChangesItemCandidate(TypedDict):
    title: str
    id: str
    revision: int


class ProposalChangesItemUnruledIncludesItem(TypedDict):
    prompt: str
    label: str


class ProposalChangesItemApprovals(TypedDict):
    """How many approvals the rule of the label requires, and how many count for this change."""

    required: int
    given: int


ProposalChangesItem = TypedDict(
    "ProposalChangesItem",
    {
        "prompt": "ProposalChangesItemPrompt",
        "label": "str",
        "from": "int | None",
        "version": "NotRequired[int]",
        "candidate": "NotRequired[ProposalChangesItemCandidate]",
        "release": "NotRequired[ProposedRelease]",
        "unruledIncludes": "NotRequired[list[ProposalChangesItemUnruledIncludesItem]]",
        "approvals": "ProposalChangesItemApprovals",
    },
)


class ProposalMyApproval(TypedDict):
    """Whether the approval of the caller counts. People approve in the dashboard, and not with
    their API keys.
    """

    given: bool
    """Whether the caller has approved the current revision."""
    counts: bool
    """Whether an approval of the caller counts, or would count, for at least one of the changes.
    """
    reason: Literal["ended", "program", "role", "not_needed", "opened", "wrote", "holds_key"] | None
    """Why the approval does not count. `program`: the caller is a service account. `role`: the
    caller may not move one of the labels. `not_needed`: the rules require no approval.
    `opened` and `wrote`: the caller opened the proposal or contributed to the content.
    `holds_key`: a service account did so, and the caller has received its key.
    """


class ProposalReviewsItem(TypedDict):
    id: str
    by: Person
    verdict: Literal["approve", "decline"]
    text: str
    at: str
    current: bool
    """Whether the review is about the current revision."""


ProposalResultItem = TypedDict(
    "ProposalResultItem",
    {
        "prompt": "str",
        "label": "str",
        "version": "NotRequired[int]",
        "from": "NotRequired[int]",
        "release": "NotRequired[str]",
    },
)


class Proposal(TypedDict):
    id: str
    """Starts with `prop_`."""
    state: Literal["open", "approved", "scheduled", "stale", "applied", "declined", "withdrawn", "expired"]
    """`approved`: it has all approvals and can be applied. `scheduled`: it has all approvals and
    is applied at `applyAt`. `stale`: its effect changed after it was approved, so it must be
    approved again. `expired`: it had no activity for 90 days.
    """
    revision: str
    """Identifies what the proposal would change. It changes if a candidate changes, if a prompt
    is renamed, if a label or release changes in the meantime, or if the test cases of a gated
    label change. Approvals count only for the current revision. A request with an older
    revision is refused with 409 `proposal_changed`. A proposal that has ended keeps the
    revision of its last approval or refusal.
    """
    message: str
    changes: list[ProposalChangesItem]
    reviewers: list[str]
    myApproval: ProposalMyApproval
    """Whether the approval of the caller counts. People approve in the dashboard, and not with
    their API keys.
    """
    reviews: list[ProposalReviewsItem]
    applyAt: str | None
    problem: str | None
    """Why the service could not apply the proposal at its scheduled time. A person can apply it.
    """
    openedAt: str
    openedBy: Person
    endedAt: str | None
    endedBy: Person | None
    result: list[ProposalResultItem] | None
    """The result of applying the proposal. Null unless it was applied."""


class ProposalApplication(TypedDict):
    revision: str
    """Identifies what the proposal would change. It changes if a candidate changes, if a prompt
    is renamed, if a label or release changes in the meantime, or if the test cases of a gated
    label change. Approvals count only for the current revision. A request with an older
    revision is refused with 409 `proposal_changed`. A proposal that has ended keeps the
    revision of its last approval or refusal.
    """


class ProposalList(TypedDict):
    data: list[Proposal]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class ProposedReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


ProposedReleaseRulesItem = TypedDict(
    "ProposedReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class ProposedReleaseGuardsItem(TypedDict):
    metric: str
    """`errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as
    `score:helpful`.
    """
    margin: NotRequired[float]
    """How much worse than the control an arm may be. For `errorRate`, a difference of shares:
    0.02 allows 7% of failed calls instead of 5%. Default: 0.02. For `latency` and `cost`, a
    ratio: 0.1 allows 10% more. Default: 0.1. For a score, a difference of means. A score has
    no default, so its margin is required.
    """
    better: NotRequired[Literal["higher", "lower"]]
    """Which values of a score are better. Default: `higher`."""


class ProposedRelease(TypedDict):
    control: int
    """The version for everyone who gets no arm. If the label points at another version, the label
    is moved to this version first.
    """
    arms: list[ProposedReleaseArmsItem]
    rules: NotRequired[list[ProposedReleaseRulesItem]]
    """The first matching rule decides. Rules take precedence over weights, and also apply to
    callers without a key. All rules together: up to 16,384 characters.
    """
    metric: NotRequired[str]
    """`errorRate`, `latency`, `cost`, or `score:` and the name of a score, such as
    `score:helpful`.
    """
    guards: NotRequired[list[ProposedReleaseGuardsItem]]
    """What an arm must not make worse. Default: `errorRate`."""
    steps: NotRequired[list[int]]
    """Increasing weights for the only arm. The service widens the arm to the next weight once
    every guard has passed. Without steps, only people widen the arms.
    """
    minUnits: NotRequired[int]
    """The number of units (keys with results) that the control and each arm need before the next
    step. Up to 200,000 units are kept per step. The number is therefore refused if a version
    has too small a share of the keys to ever have so many units.
    """
    everyMinutes: NotRequired[int]
    """The shortest time between two steps."""
    onRegression: NotRequired[Literal["rollback", "pause"]]
    """What happens if an arm is worse than a guard allows. `rollback`: everyone gets the control
    again.
    """


class ProviderUrl(TypedDict):
    url: str
    """The page of the provider to open in this browser."""


class ReadNotifications(TypedDict):
    ids: NotRequired[list[str]]
    upTo: NotRequired[str]
    """Marks this notification and all older notifications as read."""


class ReceivedInvitationWorkspace(TypedDict):
    name: str
    kind: Literal["personal", "team"]
    """`personal`: the workspace of an account, which has the account’s name."""


class ReceivedInvitationInvitedBy(TypedDict):
    name: str


class ReceivedInvitation(TypedDict):
    workspace: ReceivedInvitationWorkspace
    invitedBy: ReceivedInvitationInvitedBy
    email: str
    """Only this email can register with the link, and only the account with this email can accept
    the invitation.
    """
    role: Literal["viewer", "editor", "deployer", "admin"]
    """`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles
    before it. The role `owner` cannot be assigned.
    """
    expiresAt: str


class RecoveryCodes(TypedDict):
    recoveryCodes: list[str]
    """Ten codes, shown only once. Each code can be used once instead of a code from the
    authenticator app.
    """


class Registration(TypedDict):
    email: str
    """Case-insensitive."""
    password: str
    """8 to 128 characters of any kind. 15 or more are recommended. Very common passwords are
    rejected.
    """
    name: NotRequired[str]
    """Default: the part of `email` before the @."""
    invitation: NotRequired[str]
    """The token of an invitation to `email`. The token allows registration even if registration
    is closed. Registering does not accept the invitation. Sign in and accept the invitation
    afterwards.
    """


class ReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


ReleaseRulesItem = TypedDict(
    "ReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class ReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""


class ReleaseProgressArmsItem(TypedDict):
    arm: str
    version: int
    weight: int
    units: int
    """The keys with results since the weights last changed."""
    calls: int
    """The reported calls with these keys."""
    reads: int
    """How often a key or a rule chose the version since the start."""


class ReleaseProgressGuardsItemDifference(TypedDict):
    """The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of
    releases, the true difference stays between `low` and `high`, however often they are read.
    """

    value: float
    low: float
    high: float


class ReleaseProgressGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""
    arm: str
    control: float | None
    """The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the
    geometric mean.
    """
    value: float | None
    """The mean of the arm."""
    difference: ReleaseProgressGuardsItemDifference | None
    verdict: Literal["passed", "worse", "undecided"]
    """`passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is.
    `undecided`: there are not enough results yet.
    """


class ReleaseProgressMetricArmsItemDifference(TypedDict):
    """The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of
    releases, the true difference stays between `low` and `high`, however often they are read.
    """

    value: float
    low: float
    high: float


class ReleaseProgressMetricArmsItem(TypedDict):
    arm: str
    value: float | None
    difference: ReleaseProgressMetricArmsItemDifference | None
    probabilityBetter: float | None
    """For shares: the probability that the arm is better than the control. The service decides
    nothing with it.
    """


class ReleaseProgressMetric(TypedDict):
    metric: str
    arms: list[ReleaseProgressMetricArmsItem]


class ReleaseProgressNext(TypedDict):
    weight: int | None
    """The next step. Null after the last step."""
    at: str | None
    """The earliest time of the next step."""
    waitsFor: list[str]
    """The results that the next step waits for, in words. Empty if it waits only for the time."""


class ReleaseProgress(TypedDict):
    arms: list[ReleaseProgressArmsItem]
    """The control first, then the arms."""
    readsWithoutKey: int
    """The reads without a key since the start, which got the control."""
    guards: list[ReleaseProgressGuardsItem]
    metric: ReleaseProgressMetric | None
    """The metric that the release should improve. The service shows it, but decides nothing with
    it.
    """
    next: ReleaseProgressNext | None
    """Null if the release is not running."""


class Release(TypedDict):
    id: str
    label: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    cause: Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"] | None
    """Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not
    match the weights, so the results cannot be trusted. `not_allowed`: the next step would
    need checks or approvals that a version does not have.
    """
    salt: str
    """The arm of a key depends on the salt and the key. It stays the same when weights change."""
    control: int
    arms: list[ReleaseArmsItem]
    rules: list[ReleaseRulesItem]
    metric: str | None
    guards: list[ReleaseGuardsItem]
    steps: list[int]
    step: int
    """The number of steps that the release has reached."""
    minUnits: int
    everyMinutes: int
    onRegression: Literal["rollback", "pause"]
    startedAt: str
    startedBy: Person
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""
    endedAt: str | None
    progress: ReleaseProgress


class ReleaseChangeArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


class ReleaseChange(TypedDict):
    state: NotRequired[Literal["running", "paused"]]
    """`paused`: callers keep their versions, and the service neither widens the release nor rolls
    it back.
    """
    arms: NotRequired[list[ReleaseChangeArmsItem]]
    """All arms of the release with their new weights, none of which may be smaller than before."""


class ReleaseFinish(TypedDict):
    version: int
    """The version of an arm or of the control."""
    override: NotRequired[str]
    """The reason for moving a gated label without passing checks. Requires the role `admin`. The
    reason is shown in the history and the event.
    """


class RenderRequest(TypedDict):
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages."""
    label: NotRequired[str | Literal["latest"]]
    version: NotRequired[int]
    key: NotRequired[str]
    """The key by which a release divides callers, such as the id of a user. If the label has a
    release, the key decides which version the response has: the same key always gets the same
    version.
    """
    context: NotRequired[dict[str, str | float | bool]]
    """Attributes that the rules of a release use."""
    feedbackToken: NotRequired[bool]
    """Whether the response contains a token with which a browser can rate this version for 24
    hours.
    """


class RenderedPromptRelease(TypedDict):
    """Present if the label has a release."""

    id: str
    arm: str
    """`control`, or `v` followed by the version number."""
    reason: Literal["SPLIT", "RULE", "NO_KEY"]
    """`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because
    there is no key.
    """


class RenderedPrompt(TypedDict):
    name: str
    version: int
    text: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[RenderedMessage]]
    """For chat prompts."""
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    release: NotRequired[RenderedPromptRelease]
    """Present if the label has a release."""
    feedbackToken: NotRequired[str]
    """For `POST /api/feedback/browser`. Present if the request asked for it."""


class ReportReceipt(TypedDict):
    accepted: int
    """The calls that were counted, by this report or an earlier one."""
    dropped: int
    """The calls whose prompt or version does not exist in the workspace."""
    hint: NotRequired[str]
    """Present if calls have a `key`, but no `release`, while a release divides the callers of the
    prompt. Such calls do not count for the release.
    """


class RestoreRequest(TypedDict):
    override: NotRequired[str]
    """The reason for restoring the prompt although one of its gated labels points at a version
    that has not passed its checks. Requires the role `admin`. The reason is shown in the
    history and the event.
    """


class ResultReportCallsItem(TypedDict):
    prompt: str
    """The name of a prompt."""
    version: NotRequired[int]
    label: NotRequired[str]
    """The label with which the prompt was fetched."""
    release: NotRequired[str]
    """The id of the release that chose the version by the key (`reason` is `SPLIT`). With
    `version` and `key`, the call counts for the release.
    """
    key: NotRequired[str]
    """The key with which the prompt was fetched. Only a hash of it is kept, which is different in
    each release.
    """
    model: NotRequired[str]
    provider: NotRequired[str]
    """Who runs the model, such as `openai`. Determines the list price."""
    durationMs: float
    """How long the call took."""
    firstChunkMs: NotRequired[float]
    """The time until the first part of the response arrived."""
    inputTokens: NotRequired[int]
    outputTokens: NotRequired[int]
    cost: NotRequired[float]
    """In US dollars. By default, the cost is calculated from the tokens and the price of the
    model.
    """
    error: NotRequired[str]
    """Why the call failed, such as `timeout` or `429`. Absent if the call succeeded."""
    traceId: NotRequired[str]
    """The id of the trace to which the call belongs. Feedback can refer to it for 72 hours."""
    spanId: NotRequired[str]
    """The id of the call within its trace."""
    responseId: NotRequired[str]
    """The id that the model API gave to its response. Feedback can refer to it for 72 hours."""
    id: NotRequired[str]
    """An id of your own, for calls without a `spanId`. A call that is reported again with the
    same id is counted once.
    """
    endedAt: NotRequired[str]
    """ISO 8601. Determines the hour in which the call is counted. Default: the time of arrival,
    which also replaces times in the future and times more than 24 hours ago.
    """


class ResultReport(TypedDict):
    calls: list[ResultReportCallsItem]


class RunCandidate(TypedDict):
    """The candidate that was run."""

    title: str
    id: str
    revision: int


class RunRelease(TypedDict):
    """Present if the label has a release."""

    id: str
    arm: str
    """`control`, or `v` followed by the version number."""
    reason: Literal["SPLIT", "RULE", "NO_KEY"]
    """`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because
    there is no key.
    """


class RunConnection(TypedDict):
    id: str
    name: str


class RunDraft(TypedDict):
    """The content of a draft or a candidate."""

    syntax: NotRequired[Literal["liquid", "mustache"]]
    """The language of the templates."""
    template: NotRequired[str]
    messages: NotRequired[list[Message | Placeholder]]
    declarations: NotRequired[list[VariableDeclaration]]
    """Describes variables: type, description, default, example and values. If the templates use
    other variables, those are inferred. The `variables` of a response can be sent back.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""


class Run(TypedDict):
    id: str
    """Starts with `r_`."""
    version: int | None
    """Null for a draft or a candidate."""
    candidate: NotRequired[RunCandidate]
    """The candidate that was run."""
    release: NotRequired[RunRelease]
    """Present if the label has a release."""
    connection: RunConnection
    model: str
    createdAt: str
    by: Person
    variables: dict[str, Any]
    """The variables of the run."""
    parameters: dict[str, Any]
    """All parameters of the request to the model."""
    messages: list[dict[str, Any]]
    draft: NotRequired[RunDraft]
    """The content of a draft or a candidate."""
    output: str
    """The text that the model wrote. After an error, the part that was received."""
    toolCalls: list[dict[str, Any]]
    finishReason: str | None
    """The finish reason as the server sent it, such as `stop`, `length` or `tool_calls`. Finish
    reasons of Anthropic and Gemini are converted to OpenAI’s names.
    """
    usage: TokenUsage
    cost: float | None
    """In US dollars. Null if neither the connection nor the built-in list has a price for the
    model.
    """
    firstTokenMs: int | None
    """Time until the first token. Null if there was none."""
    durationMs: int
    error: RunError | None
    """Why the run failed. Null if it succeeded."""
    truncated: NotRequired[bool]
    """True if the run was too large to be stored completely. Parts of its input are then missing.
    """


class RunError(TypedDict):
    code: Literal["unreachable", "rejected", "incomplete", "timeout", "invalid_response", "too_long", "canceled"]
    message: str
    """A description of the error, with the message from the server."""
    status: int | None
    """The status of the server’s response."""
    retryAfterSeconds: int | None
    """How long the server asks you to wait."""


class RunList(TypedDict):
    data: list[RunSummary]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class RunRequest(TypedDict):
    variables: NotRequired[dict[str, Any]]
    """Values by variable name. The value of a placeholder is an array of messages. Their
    `content` can be a string or an array of parts, such as images.
    """
    connection: str
    """The id or the name of a model connection."""
    model: NotRequired[str]
    """Default: the model in the prompt’s config if the connection offers it, otherwise the first
    model of the connection.
    """
    parameters: NotRequired[dict[str, Any]]
    """Parameters of the request to the model. They override the prompt’s config. Null removes a
    parameter.
    """
    label: NotRequired[str | Literal["latest"]]
    version: NotRequired[int]
    candidate: NotRequired[str]
    """The id of a candidate, instead of a label or a version."""
    key: NotRequired[str]
    """The key by which a release divides callers, such as the id of a user. If the label has a
    release, the key decides which version the response has: the same key always gets the same
    version.
    """
    context: NotRequired[dict[str, str | float | bool]]
    """Attributes that the rules of a release use."""


class RunStatisticsTotalsDurationMs(TypedDict):
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """

    p50: float | None
    p95: float | None
    p99: float | None


class RunStatisticsTotals(TypedDict):
    runs: int
    """Requests to models. A check run makes several requests."""
    errors: int
    """Requests that failed or were canceled."""
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, at the prices of that time."""
    unpriced: int
    """Requests whose cost is unknown, because there was no price for the model."""
    durationMs: RunStatisticsTotalsDurationMs
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """


class RunStatisticsSeriesItemDurationMs(TypedDict):
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """

    p50: float | None
    p95: float | None
    p99: float | None


class RunStatisticsSeriesItem(TypedDict):
    time: str
    """The start of the interval."""
    runs: int
    """Requests to models. A check run makes several requests."""
    errors: int
    """Requests that failed or were canceled."""
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, at the prices of that time."""
    unpriced: int
    """Requests whose cost is unknown, because there was no price for the model."""
    durationMs: RunStatisticsSeriesItemDurationMs
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """


class RunStatisticsByModelItemDurationMs(TypedDict):
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """

    p50: float | None
    p95: float | None
    p99: float | None


class RunStatisticsByModelItem(TypedDict):
    model: str | None
    """Null for the requests that are not counted by model. Up to 200 combinations of member and
    model are counted per hour.
    """
    runs: int
    """Requests to models. A check run makes several requests."""
    errors: int
    """Requests that failed or were canceled."""
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, at the prices of that time."""
    unpriced: int
    """Requests whose cost is unknown, because there was no price for the model."""
    durationMs: RunStatisticsByModelItemDurationMs
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """


class RunStatisticsByMemberItemDurationMs(TypedDict):
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """

    p50: float | None
    p95: float | None
    p99: float | None


class RunStatisticsByMemberItem(TypedDict):
    userId: str | None
    """Null for calls and runs that are not counted by member. Per hour, up to 1,000 combinations
    of member, route and status are counted for calls, and up to 200 combinations of member and
    model for runs.
    """
    name: str | None
    """The current name. Null if the account is no longer a member."""
    kind: Literal["person", "service"] | None
    """`service`: an account for a program. Null if the account is no longer a member."""
    runs: int
    """Requests to models. A check run makes several requests."""
    errors: int
    """Requests that failed or were canceled."""
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, at the prices of that time."""
    unpriced: int
    """Requests whose cost is unknown, because there was no price for the model."""
    durationMs: RunStatisticsByMemberItemDurationMs
    """Percentiles of the duration of successful requests, accurate to 10%. Null if no request
    succeeded.
    """


RunStatistics = TypedDict(
    "RunStatistics",
    {
        "from": "str",
        "to": "str",
        "now": "str",
        "interval": "Literal['hour'] | Literal['day']",
        "timeZone": "str",
        "totals": "RunStatisticsTotals",
        "series": "list[RunStatisticsSeriesItem]",
        "byModel": "list[RunStatisticsByModelItem]",
        "byMember": "list[RunStatisticsByMemberItem]",
    },
)


class RunSummaryCandidate(TypedDict):
    """The candidate that was run."""

    title: str
    id: str
    revision: int


class RunSummaryRelease(TypedDict):
    """Present if the label has a release."""

    id: str
    arm: str
    """`control`, or `v` followed by the version number."""
    reason: Literal["SPLIT", "RULE", "NO_KEY"]
    """`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because
    there is no key.
    """


class RunSummaryConnection(TypedDict):
    id: str
    name: str


class RunSummary(TypedDict):
    id: str
    """Starts with `r_`."""
    version: int | None
    """Null for a draft or a candidate."""
    candidate: NotRequired[RunSummaryCandidate]
    """The candidate that was run."""
    release: NotRequired[RunSummaryRelease]
    """Present if the label has a release."""
    connection: RunSummaryConnection
    model: str
    createdAt: str
    by: Person
    finishReason: str | None
    """The finish reason as the server sent it, such as `stop`, `length` or `tool_calls`. Finish
    reasons of Anthropic and Gemini are converted to OpenAI’s names.
    """
    usage: TokenUsage
    cost: float | None
    """In US dollars. Null if neither the connection nor the built-in list has a price for the
    model.
    """
    firstTokenMs: int | None
    """Time until the first token. Null if there was none."""
    durationMs: int
    error: RunError | None
    """Why the run failed. Null if it succeeded."""
    preview: str
    """The first 200 characters of the output."""


class SavedBatchDataItem(TypedDict):
    name: str
    version: int
    """The newest version."""
    status: Literal["created", "updated", "changed", "unchanged"]
    """`created`: a new prompt. `updated`: a new version. `changed`: only the description, tags or
    labels have changed. `unchanged`: nothing has changed.
    """
    warnings: NotRequired[list[Warning]]
    """The problems at the moved labels. Absent if there are none."""


class SavedBatch(TypedDict):
    data: list[SavedBatchDataItem]
    """The results, in the order of the items in the request."""


class SavedCandidateChangedBy(TypedDict):
    """Who last changed the content."""

    userId: NotRequired[str]
    """The account or service account. Absent if the change was imported."""
    name: str
    """Their name at that time."""
    via: NotRequired[Literal["api", "dashboard"]]
    """`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were
    saved before the service recorded this.
    """
    imported: NotRequired[Literal[True]]
    """The change was made in another service and imported. A member of this workspace who has the
    same name may be a different person.
    """


class SavedCandidate(TypedDict):
    title: str
    id: str
    """Starts with `cand_`."""
    revision: int
    """Increases with every change. A change that names an older revision is refused with 409
    `candidate_changed`.
    """
    name: str
    type: Literal["text", "chat"]
    syntax: Literal["liquid", "mustache"]
    template: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[Message | Placeholder]]
    """For chat prompts."""
    variables: list[Variable]
    """The declared variables and those that the templates use, including those of included
    prompts.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: str
    baseVersion: int
    createdAt: str
    createdBy: Person
    changedAt: str
    changedBy: SavedCandidateChangedBy
    """Who last changed the content."""
    warnings: list[Warning]
    """Problems that did not prevent saving the candidate."""


class SavedReleaseArmsItem(TypedDict):
    version: int
    weight: int
    """In ten-thousandths of the keys. The control gets the rest."""


SavedReleaseRulesItem = TypedDict(
    "SavedReleaseRulesItem",
    {
        "if": "dict[str, list[str]]",
        "version": "int",
    },
)


class SavedReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""


class SavedRelease(TypedDict):
    id: str
    label: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    cause: Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"] | None
    """Why the release was paused or rolled back. `sample_ratio`: the numbers of units do not
    match the weights, so the results cannot be trusted. `not_allowed`: the next step would
    need checks or approvals that a version does not have.
    """
    salt: str
    """The arm of a key depends on the salt and the key. It stays the same when weights change."""
    control: int
    arms: list[SavedReleaseArmsItem]
    rules: list[SavedReleaseRulesItem]
    metric: str | None
    guards: list[SavedReleaseGuardsItem]
    steps: list[int]
    step: int
    """The number of steps that the release has reached."""
    minUnits: int
    everyMinutes: int
    onRegression: Literal["rollback", "pause"]
    startedAt: str
    startedBy: Person
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""
    endedAt: str | None
    warnings: list[Warning]
    """Problems that callers of the arms will have."""


class SavedVersionRelease(TypedDict):
    """Present if the label has a release."""

    id: str
    arm: str
    """`control`, or `v` followed by the version number."""
    reason: Literal["SPLIT", "RULE", "NO_KEY"]
    """`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because
    there is no key.
    """


class SavedVersion(TypedDict):
    name: str
    type: Literal["text", "chat"]
    version: int
    labels: list[str]
    syntax: Literal["liquid", "mustache"]
    template: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[Message | Placeholder]]
    """For chat prompts."""
    variables: list[Variable]
    """The declared variables and those that the templates use, including those of included
    prompts.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: str
    createdAt: str
    by: Person
    release: NotRequired[SavedVersionRelease]
    """Present if the label has a release."""
    warnings: list[Warning]
    """Problems that did not prevent saving the version or moving the label."""


class SearchMatch(TypedDict):
    version: NotRequired[int]
    """Absent if the match is in the name or the description, which do not belong to a version."""
    path: str
    """A JSON pointer: `/name`, `/description`, `/template`, `/messages/0/content` or
    `/config/model`.
    """
    line: int
    text: str
    """The line, shortened around the match. A setting in `config` is shown as `name: value`."""
    start: int
    """Where the match starts in `text`, in UTF-16 code units as in JavaScript."""
    end: int


class Session(TypedDict):
    id: str
    createdAt: str
    """When the user signed in."""
    lastUsedAt: str
    """Accurate to the hour."""
    address: str | None
    userAgent: str | None
    current: bool
    """Whether this request was made with this session."""


class SessionConfirmation(TypedDict):
    password: NotRequired[str]
    """The account's password."""
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""
    passkey: NotRequired[PasskeyAssertion]


class SessionList(TypedDict):
    data: list[Session]


class SignInOptionsProvidersItem(TypedDict):
    id: str
    name: str
    """The name on the button."""
    icon: str | None
    """The icon on the button, as a `data:` URL."""


class SignInOptions(TypedDict):
    providers: list[SignInOptionsProvidersItem]
    """The OpenID Connect providers. A browser signs in at `/api/session/oidc/{id}/start`."""
    password: bool
    """Whether everyone may sign in with a password."""


class SignedOut(TypedDict):
    url: str | None
    """The page that also ends the session at the provider. Null if there is none."""


class StartedCliSignIn(TypedDict):
    userCode: str
    """The code that the command shows. In the dashboard, the person compares it or, without a
    port, types it.
    """
    url: str
    """The page to open, or its path if the service does not know its public URL. It contains the
    user code only if the sign-in has a port.
    """
    expiresAt: str
    intervalSeconds: int
    """The time to wait between two requests for the key."""


class StatisticsTotals(TypedDict):
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""


class StatisticsDurationMs(TypedDict):
    """Percentiles of the call duration, accurate to 10%. Null if there were no calls, or if you
    filter by `prompt` or `member`.
    """

    p50: float | None
    p95: float | None
    p99: float | None


class StatisticsSeriesItem(TypedDict):
    time: str
    """The start of the interval."""
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""


class StatisticsByRouteItem(TypedDict):
    route: str
    """The method and path pattern."""
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""


class StatisticsByPromptItemVersionsItem(TypedDict):
    version: int
    label: str | None
    """The requested label. Null if the version was requested by number."""
    calls: int


class StatisticsByPromptItem(TypedDict):
    promptId: str
    name: str | None
    """Null if the prompt was permanently deleted."""
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""
    versions: list[StatisticsByPromptItemVersionsItem]
    """The versions that were returned, most calls first."""


class StatisticsByMemberItem(TypedDict):
    userId: str | None
    """Null for calls and runs that are not counted by member. Per hour, up to 1,000 combinations
    of member, route and status are counted for calls, and up to 200 combinations of member and
    model for runs.
    """
    name: str | None
    """The current name. Null if the account is no longer a member."""
    kind: Literal["person", "service"] | None
    """`service`: an account for a program. Null if the account is no longer a member."""
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""


class StatisticsByStatusItem(TypedDict):
    status: int
    calls: int


class StatisticsByVersionItem(TypedDict):
    version: int
    label: str | None
    calls: int
    errors: int
    """Calls with a status of 400 or higher."""
    series: list[int]
    """The calls in each interval of the top-level `series`."""


class StatisticsErrorsItem(TypedDict):
    code: str
    """The error code."""
    name: str | None
    """The missing variable, or the included prompt that was not found, with its label unless that
    is `production`. Null if the error concerns neither, or if 20 other names were already
    counted in that hour.
    """
    calls: int


class StatisticsReleasesItemArmsItem(TypedDict):
    arm: str
    """`control`, or the version of the arm, such as `v4`."""
    version: int
    weight: int
    """In ten-thousandths of the keys. If the release has ended: the last weight."""
    reads: int
    """How often a key or a rule chose the version in the range. Does not depend on `status`,
    `label` or `model`.
    """


class StatisticsReleasesItem(TypedDict):
    id: str
    label: str
    state: Literal["running", "paused", "rolled_back", "finished"]
    startedAt: str
    changedAt: str
    """When the weights or the state last changed. Results are measured from this time."""
    endedAt: str | None
    readsWithoutKey: int
    """The reads in the range without a key, which got the control."""
    arms: list[StatisticsReleasesItemArmsItem]
    """The control first, then the arms."""


Statistics = TypedDict(
    "Statistics",
    {
        "from": "str",
        "to": "str",
        "now": "str",
        "interval": "Literal['hour'] | Literal['day']",
        "timeZone": "str",
        "totals": "StatisticsTotals",
        "durationMs": "StatisticsDurationMs",
        "series": "list[StatisticsSeriesItem]",
        "byRoute": "list[StatisticsByRouteItem]",
        "byPrompt": "list[StatisticsByPromptItem]",
        "byMember": "list[StatisticsByMemberItem]",
        "byStatus": "list[StatisticsByStatusItem]",
        "byVersion": "NotRequired[list[StatisticsByVersionItem]]",
        "errors": "NotRequired[list[StatisticsErrorsItem]]",
        "releases": "NotRequired[list[StatisticsReleasesItem]]",
        "keyLastUsedAt": "str | None",
    },
)


class TokenInfo(TypedDict):
    token: str
    """The account's API key: `ph_` followed by 64 hexadecimal characters."""
    userId: str
    """Starts with `u_`."""
    email: str
    name: str


class TokenUsage(TypedDict):
    inputTokens: int
    outputTokens: int
    estimated: bool
    """True if the tokens are estimated because the server did not report them: four characters
    per token, one for East Asian scripts, and 1,000 tokens for an image or a file.
    """


class Tool(TypedDict):
    name: str
    """Up to 64 letters, digits, `_` and `-`."""
    description: NotRequired[str]
    """A template that tells the model when to call the tool."""
    parameters: NotRequired[dict[str, Any]]
    """A JSON Schema (2020-12). Descriptions in it may be templates."""
    strict: NotRequired[bool]
    """Whether the model must follow the schema exactly, where the model API supports it."""


class TraceResponsePartialSuccess(TypedDict):
    rejectedSpans: str
    """The number of spans that were refused, as text."""
    errorMessage: str


class TraceResponse(TypedDict):
    partialSuccess: NotRequired[TraceResponsePartialSuccess]


class TwoFactorConfirmation(TypedDict):
    code: str
    """The current 6 digits from the authenticator app."""


class TwoFactorProof(TypedDict):
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""


class TwoFactorSecret(TypedDict):
    """A secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds)."""

    secret: str
    """The secret in base32, for manual entry."""
    uri: str
    """The secret as an `otpauth:` URI, for a QR code."""


class TwoFactorStart(TypedDict):
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """A recovery code, if the account has a passkey and the password is given."""


class Unauthorized(TypedDict):
    """The key is missing, malformed, unknown or revoked."""

    error: Literal["Unauthorized"]


class User(TypedDict):
    userId: str
    email: str
    name: str


class VariableDeclaration(TypedDict):
    name: str
    type: NotRequired[Literal["text", "number", "boolean", "enum", "list", "object", "image"]]
    """The declared type. Other values are refused with 422 when the prompt is rendered. `text`
    can also be a number, true or false, `enum` is one of `values`, and `image` is a URL or
    data URL. Absent if no type is declared.
    """
    description: NotRequired[str]
    """What the variable is for."""
    default: NotRequired[Any]
    """The value that is used if the caller sends none. The variable is then optional."""
    example: NotRequired[Any]
    """A value that the dashboard suggests."""
    values: NotRequired[list[str]]
    """The values of an `enum`."""
    required: NotRequired[bool]
    """Ignored: inferred from the templates and the default."""
    inherited: NotRequired[bool]
    """If true, all other fields are ignored, because an included prompt declares the variable."""
    kind: NotRequired[Any]
    """Ignored: inferred from the templates."""
    fields: NotRequired[Any]
    """Ignored: inferred from the templates."""
    items: NotRequired[Any]
    """Ignored: inferred from the templates."""


class VerificationAccepted(TypedDict):
    """A link was created."""

    status: Literal["ok"]
    mailed: bool
    """Whether the mail server accepted an email with the link. A failed email is retried for
    about a minute.
    """


class VersionRelease(TypedDict):
    """Present if the label has a release."""

    id: str
    arm: str
    """`control`, or `v` followed by the version number."""
    reason: Literal["SPLIT", "RULE", "NO_KEY"]
    """`SPLIT`: the key chose the version. `RULE`: a rule chose it. `NO_KEY`: the control, because
    there is no key.
    """


class Version(TypedDict):
    name: str
    type: Literal["text", "chat"]
    version: int
    labels: list[str]
    syntax: Literal["liquid", "mustache"]
    template: NotRequired[str]
    """For text prompts."""
    messages: NotRequired[list[Message | Placeholder]]
    """For chat prompts."""
    variables: list[Variable]
    """The declared variables and those that the templates use, including those of included
    prompts.
    """
    tools: NotRequired[list[Tool]]
    """The tools that the model may call, up to 128. Tools and output may take up to 64 KiB as
    JSON.
    """
    output: NotRequired[Output]
    config: Any
    """Any JSON up to 64 KiB, usually an object with the model and its parameters."""
    message: str
    createdAt: str
    by: Person
    release: NotRequired[VersionRelease]
    """Present if the label has a release."""


class VersionList(TypedDict):
    data: list[Version]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class View(TypedDict):
    id: str
    name: str
    filters: ViewFilters
    createdAt: str
    updatedAt: str


class ViewChange(TypedDict):
    name: NotRequired[str]
    filters: NotRequired[ViewFilters]


class ViewFilters(TypedDict):
    """The filters and the order of the list. A tag, label or author that no longer exists matches
    no prompt.
    """

    search: NotRequired[str]
    folder: NotRequired[str]
    tag: NotRequired[str]
    label: NotRequired[str | Literal["latest"]]
    author: NotRequired[str]
    deployed: NotRequired[bool]
    changed: NotRequired[str]
    """Only prompts that were changed since this date, or since `today`, `7d` or `30d` relative to
    the day on which the view is opened.
    """
    favorites: NotRequired[Literal[True]]
    sort: NotRequired[Literal["name", "-name", "updatedAt", "-updatedAt", "calls", "-calls", "lastUsedAt", "-lastUsedAt"]]


class ViewList(TypedDict):
    data: list[View]
    """Sorted by name, at most 50."""


class Warning(TypedDict):
    code: str
    """The problem that occurs when the version is used. `unknown_partial`, `circular_partial`,
    `deep_partial`, `many_partials`, `long_partials`, `many_variables`, `chat_partial` and
    `other_syntax_partial`: the version cannot be rendered. `empty_message`: a message is
    empty. `missing_variable`: callers of the label do not send the variable. `included_label`:
    another prompt includes the label or prompt that is removed, or the service cannot
    determine whether one does. `label_not_copied`: the rules of the workspace do not allow the
    label. `release_not_copied`: the copy has the control of the release for all callers.
    `candidates_not_copied`: the prompt has candidates, which are not copied.
    `unused_variable`: a variable is assigned but never used; nothing fails.
    """
    message: str
    prompt: NotRequired[str]
    """For `included_label`: the prompt that includes this one. For `missing_variable`: the
    dependent whose callers are affected, or absent if callers of this prompt itself are
    affected. In a refused batch: the prompt that the warning concerns.
    """
    label: NotRequired[str]
    """The label whose callers are affected. Absent if all callers are affected."""
    variable: NotRequired[str]
    """For `missing_variable`: the name of the variable."""
    rendersLast24Hours: NotRequired[int]
    """For `missing_variable`: how many renders of the label in the last 24 hours would have
    failed, if that is known.
    """


class Webhook(TypedDict):
    id: str
    """Starts with `w_`."""
    url: str
    """The URL to which events are sent with POST. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    events: Literal["all"] | list[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]]
    """The types of events to send, or `all` for all events, including future ones."""
    description: str
    format: Literal["json", "slack"]
    """`json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default:
    `json`.
    """
    enabled: bool
    """Events that happen while the webhook is disabled are not sent later."""
    disabledAt: str | None
    """When it was disabled."""
    disabledReason: str | None
    """Why the service disabled the webhook. Null if a person disabled the webhook."""
    previousSecretUntil: str | None
    """After a rotation: the time until which deliveries are also signed with the old secret."""
    createdAt: str
    updatedAt: str


class WebhookChange(TypedDict):
    url: NotRequired[str]
    """The URL to which events are sent with POST. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    events: NotRequired[Literal["all"] | list[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]]]
    """The types of events to send, or `all` for all events, including future ones."""
    description: NotRequired[str]
    format: NotRequired[Literal["json", "slack"]]
    """`json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default:
    `json`.
    """
    enabled: NotRequired[bool]
    """Events that happen while the webhook is disabled are not sent later."""


class WebhookDeliveryPayload(TypedDict):
    type: str
    timestamp: str
    data: dict[str, Any]


class WebhookDeliveryAttemptsItem(TypedDict):
    at: str
    status: int | None
    """Null if there was no response."""
    durationMs: int
    error: str | None
    """Why the attempt failed."""
    response: str | None
    """The first 1 KB of the response. Stored only for the last attempt, and only if that attempt
    failed. Otherwise null.
    """


class WebhookDelivery(TypedDict):
    id: str
    """The `webhook-id` header of every attempt."""
    type: str
    """The type of the event."""
    state: Literal["pending", "delivered", "failed", "canceled"]
    """`canceled`: the delivery was still queued when the webhook was disabled."""
    payload: WebhookDeliveryPayload | None
    """The event. It is the body of the request or, with the format `slack`, the source of the
    message. Null if the event is no longer kept.
    """
    attempts: list[WebhookDeliveryAttemptsItem]
    """The last attempts, oldest first."""
    nextAttemptAt: str | None
    """When the next attempt is due. The attempt waits until earlier events of the same prompt are
    delivered.
    """
    createdAt: str
    """When the event happened."""


class WebhookDeliveryList(TypedDict):
    data: list[WebhookDelivery]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class WebhookList(TypedDict):
    data: list[Webhook]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class WebhookWithSecret(TypedDict):
    id: str
    """Starts with `w_`."""
    url: str
    """The URL to which events are sent with POST. An address that is not public must be allowed
    by the setting OUTBOUND_ALLOW.
    """
    events: Literal["all"] | list[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]]
    """The types of events to send, or `all` for all events, including future ones."""
    description: str
    format: Literal["json", "slack"]
    """`json`: the event. `slack`: a message with blocks, for a Slack incoming webhook. Default:
    `json`.
    """
    enabled: bool
    """Events that happen while the webhook is disabled are not sent later."""
    disabledAt: str | None
    """When it was disabled."""
    disabledReason: str | None
    """Why the service disabled the webhook. Null if a person disabled the webhook."""
    previousSecretUntil: str | None
    """After a rotation: the time until which deliveries are also signed with the old secret."""
    createdAt: str
    updatedAt: str
    secret: str
    """The secret for verifying signatures. It is shown only in this response."""


class WorkspaceOwner(TypedDict):
    name: str
    email: str


class Workspace(TypedDict):
    id: str
    """To act in this workspace, send this id as `PromptHarbor-Workspace`. The id of a team
    workspace starts with `w_`. Any other id is the `userId` of the owner.
    """
    name: str
    kind: Literal["personal", "team"]
    """`personal`: the workspace of an account, which has the account’s name."""
    shared: bool
    """Whether other accounts have access. Always true for a team workspace."""
    role: Literal["viewer", "editor", "deployer", "admin", "owner"]
    """Your role in the workspace."""
    owner: WorkspaceOwner


class WorkspaceActivity(TypedDict):
    data: list[ActivityEntry]
    nextCursor: str | None
    """Pass it as `cursor` to get the next page. Null on the last page."""


class WorkspaceChange(TypedDict):
    name: NotRequired[str]
    """The name of the workspace. Only the owner can change the name."""
    protectedLabels: NotRequired[list[str]]
    """The labels that only deployers, admins and the owner can move or remove. A new workspace
    has none.
    """
    gatedLabels: NotRequired[list[str]]
    """The labels that move only to versions that have passed all current test cases of their
    prompt. A new workspace has none.
    """
    labelRules: NotRequired[dict[str, NewLabelRule]]
    """The labels that require proposals, with their rules. A new workspace has none."""
    dailyBudget: NotRequired[DailyBudget]


class WorkspaceDeletion(TypedDict):
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""


class WorkspaceEventBy(TypedDict):
    userId: NotRequired[str]
    """The account or service account. Absent if the change was imported."""
    name: str
    """Their name at that time."""
    via: NotRequired[Literal["api", "dashboard"]]
    """`api`: with an API key. `dashboard`: by a signed-in user. Absent for versions that were
    saved before the service recorded this.
    """
    imported: NotRequired[Literal[True]]
    """The change was made in another service and imported. A member of this workspace who has the
    same name may be a different person.
    """


class WorkspaceEventPrompt(TypedDict):
    id: str
    name: str


class WorkspaceEventMember(TypedDict):
    userId: str
    name: str
    role: NotRequired[Literal["viewer", "editor", "deployer", "admin", "owner"]]


class WorkspaceEventCandidate(TypedDict):
    """The candidate. If it was deleted because it was applied, `version` is the version that was
    made from it.
    """

    id: str
    title: str
    revision: int


class WorkspaceEventProposalChangesItem(TypedDict):
    prompt: str
    label: str
    version: NotRequired[int]


class WorkspaceEventProposal(TypedDict):
    """The proposal that the event is about, with its message and changes, or the proposal with
    which a label moved or a release started.
    """

    id: str
    automatic: NotRequired[Literal[True]]
    """The service applied the proposal at its scheduled time."""
    late: NotRequired[Literal[True]]
    """The service applied the proposal more than 5 minutes after its scheduled time, because the
    service was not running or the last approval was missing.
    """
    message: NotRequired[str]
    changes: NotRequired[list[WorkspaceEventProposalChangesItem]]
    verdict: NotRequired[Literal["approve", "decline"]]
    text: NotRequired[str]
    """What the reviewer wrote."""


class WorkspaceEventComment(TypedDict):
    """The comment. `prompt` is the prompt of its version or candidate, or the first prompt of its
    proposal.
    """

    id: str
    thread: str
    """The id of the first comment of the thread."""
    proposal: NotRequired[str]
    """The id of the proposal."""
    version: NotRequired[int]
    candidate: NotRequired[str]
    """The id of the candidate."""
    part: NotRequired[Literal["text", "variables", "tools", "output", "config"]]
    line: NotRequired[int]
    text: NotRequired[str]
    """Absent if the comment was deleted."""
    resolved: NotRequired[bool]
    """For `comment.changed`: the thread was resolved or reopened."""


class WorkspaceEventReleaseArmsItem(TypedDict):
    version: int
    weight: int


class WorkspaceEventReleaseGuardsItemDifference(TypedDict):
    """The arm minus the control, as a ratio for `latency` and `cost` (0.1 is 10% more). In 95% of
    releases, the true difference stays between `low` and `high`, however often they are read.
    """

    value: float
    low: float
    high: float


class WorkspaceEventReleaseGuardsItem(TypedDict):
    metric: str
    margin: float
    better: Literal["higher", "lower"]
    """Which values of a score are better. Default: `higher`."""
    arm: str
    control: float | None
    """The mean of the control. For `latency` (milliseconds) and `cost` (US dollars per call), the
    geometric mean.
    """
    value: float | None
    """The mean of the arm."""
    difference: WorkspaceEventReleaseGuardsItemDifference | None
    verdict: Literal["passed", "worse", "undecided"]
    """`passed`: the arm is certainly not worse than the margin allows. `worse`: it certainly is.
    `undecided`: there are not enough results yet.
    """


class WorkspaceEventReleaseUnitsItem(TypedDict):
    arm: str
    weight: int
    units: int


class WorkspaceEventRelease(TypedDict):
    id: str
    control: int
    arms: list[WorkspaceEventReleaseArmsItem]
    cause: NotRequired[Literal["person", "regression", "sample_ratio", "not_allowed", "deleted"]]
    automatic: NotRequired[Literal[True]]
    """The service made the change. `by` is the person or program that started the release."""
    guards: NotRequired[list[WorkspaceEventReleaseGuardsItem]]
    """The numbers that led to an automatic change."""
    units: NotRequired[list[WorkspaceEventReleaseUnitsItem]]
    """The units that led to an automatic change, with the weights before the change."""


class WorkspaceEventCases(TypedDict):
    """For a change of test cases: what was done, the name of the first test case, and how many
    were changed.
    """

    action: Literal["added", "changed", "deleted"]
    name: str
    count: int


class WorkspaceEventCausePrompt(TypedDict):
    id: str
    name: str


class WorkspaceEventCause(TypedDict):
    """For `dependency.changed`: the prompt that changed, and the label at which it is included."""

    prompt: WorkspaceEventCausePrompt
    label: str


class WorkspaceEventWebhook(TypedDict):
    """For `test`: the webhook to which the event is sent."""

    id: str


WorkspaceEvent = TypedDict(
    "WorkspaceEvent",
    {
        "type": "Literal['prompt.created', 'prompt.changed', 'prompt.deleted', 'prompt.restored', 'version.created', 'version.deleted', 'candidate.created', 'candidate.changed', 'candidate.deleted', 'label.moved', 'label.removed', 'proposal.opened', 'proposal.reviewed', 'proposal.applied', 'proposal.declined', 'proposal.withdrawn', 'proposal.expired', 'comment.added', 'comment.changed', 'comment.deleted', 'release.started', 'release.widened', 'release.paused', 'release.resumed', 'release.rolled_back', 'release.finished', 'dependency.changed', 'results.worsened', 'rules.changed', 'key.reset', 'member.added', 'member.changed', 'member.removed', 'test']",
        "at": "str",
        "by": "NotRequired[WorkspaceEventBy]",
        "prompt": "NotRequired[WorkspaceEventPrompt]",
        "version": "NotRequired[int]",
        "message": "NotRequired[str]",
        "label": "NotRequired[str]",
        "from": "NotRequired[str | int | None]",
        "member": "NotRequired[WorkspaceEventMember]",
        "previousRole": "NotRequired[Literal['viewer', 'editor', 'deployer', 'admin', 'owner']]",
        "to": "NotRequired[str | int | None]",
        "override": "NotRequired[str]",
        "overridden": "NotRequired[list[Literal['approval', 'checks']]]",
        "candidate": "NotRequired[WorkspaceEventCandidate]",
        "proposal": "NotRequired[WorkspaceEventProposal]",
        "comment": "NotRequired[WorkspaceEventComment]",
        "release": "NotRequired[WorkspaceEventRelease]",
        "cases": "NotRequired[WorkspaceEventCases]",
        "workspace": "NotRequired[str]",
        "labels": "NotRequired[list[str]]",
        "cause": "NotRequired[WorkspaceEventCause]",
        "metric": "NotRequired[Literal['errors', 'p95']]",
        "current": "NotRequired[float]",
        "previous": "NotRequired[float]",
        "calls": "NotRequired[int]",
        "webhook": "NotRequired[WorkspaceEventWebhook]",
    },
)


class WorkspaceList(TypedDict):
    data: list[Workspace]


class WorkspaceRename(TypedDict):
    name: str
    """The name of the workspace, 1 to 100 characters."""


class WorkspaceResultsTotalsErrorRate(TypedDict):
    value: float
    low: float
    high: float


class WorkspaceResultsTotalsDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsTotalsFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsTotals(TypedDict):
    calls: int
    errors: int
    errorRate: WorkspaceResultsTotalsErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: WorkspaceResultsTotalsDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: WorkspaceResultsTotalsFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""


class WorkspaceResultsPromptsItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class WorkspaceResultsPromptsItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsPromptsItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsPromptsItem(TypedDict):
    promptId: str
    name: str | None
    """Null if the prompt was permanently deleted."""
    calls: int
    errors: int
    errorRate: WorkspaceResultsPromptsItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: WorkspaceResultsPromptsItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: WorkspaceResultsPromptsItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""


class WorkspaceResultsModelsItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class WorkspaceResultsModelsItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsModelsItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsModelsItem(TypedDict):
    model: str | None
    calls: int
    errors: int
    errorRate: WorkspaceResultsModelsItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: WorkspaceResultsModelsItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: WorkspaceResultsModelsItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""


class WorkspaceResultsSeriesItemErrorRate(TypedDict):
    value: float
    low: float
    high: float


class WorkspaceResultsSeriesItemDurationMs(TypedDict):
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsSeriesItemFirstChunkMs(TypedDict):
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """

    p50: float | None
    p95: float | None


class WorkspaceResultsSeriesItem(TypedDict):
    time: str
    calls: int
    errors: int
    errorRate: WorkspaceResultsSeriesItemErrorRate | None
    """The share of calls that failed, with its 95% confidence interval. Null if there were no
    calls.
    """
    durationMs: WorkspaceResultsSeriesItemDurationMs
    """Percentiles of the duration of successful calls, accurate to 10%. Null if no call
    succeeded.
    """
    firstChunkMs: WorkspaceResultsSeriesItemFirstChunkMs
    """Percentiles of the time to the first part of the response, accurate to 10%. Null if none
    was reported.
    """
    inputTokens: int
    outputTokens: int
    cost: float
    """In US dollars, as reported, or calculated with the prices at the time of the report."""
    costPerCall: float | None
    """The mean over the calls whose cost is known. Null if there are no such calls."""
    unpriced: int
    """The calls that reported tokens, but whose model has no known price."""


class WorkspaceResultsDroppedItem(TypedDict):
    reason: Literal["no_prompt", "unknown_prompt", "unknown_version", "no_match", "invalid"]
    """`no_prompt`: spans that do not name a prompt. `unknown_prompt`, `unknown_version`: the
    workspace does not have the prompt or version. `no_match`: scores whose trace or response
    is unknown. `invalid`: values of the wrong type, and spans and scores beyond a limit.
    """
    count: int


WorkspaceResults = TypedDict(
    "WorkspaceResults",
    {
        "from": "str",
        "to": "str",
        "now": "str",
        "interval": "Literal['hour'] | Literal['day']",
        "timeZone": "str",
        "totals": "WorkspaceResultsTotals",
        "prompts": "list[WorkspaceResultsPromptsItem]",
        "models": "list[WorkspaceResultsModelsItem]",
        "series": "list[WorkspaceResultsSeriesItem]",
        "dropped": "list[WorkspaceResultsDroppedItem]",
        "lastReportedAt": "str | None",
    },
)


class WorkspaceSettings(TypedDict):
    name: str
    """The name of the workspace. For an account’s own workspace, this is also the display name of
    the account.
    """
    protectedLabels: list[str]
    """The labels that only deployers, admins and the owner can move or remove. A new workspace
    has none.
    """
    gatedLabels: list[str]
    """The labels that move only to versions that have passed all current test cases of their
    prompt. A new workspace has none.
    """
    labelRules: dict[str, LabelRule]
    """The labels that require proposals, with their rules. A new workspace has none."""
    dailyBudget: DailyBudget


class WorkspaceTransfer(TypedDict):
    password: NotRequired[str]
    """The account's password. Not needed within 10 minutes of a sign-in or confirmation in this
    session.
    """
    code: NotRequired[str]
    """The 6 digits from the authenticator app, or a recovery code. Each code is accepted once."""
    userId: str
    """The member who becomes the owner."""
