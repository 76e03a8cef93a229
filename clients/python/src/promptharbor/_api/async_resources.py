# mypy: disable-error-code="no-any-return"
# Generated from openapi.json by scripts/python-client.ts. Run `npm run openapi` to write it anew.
"""The methods of the client for asyncio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from .caller import OMIT, AsyncResource, Omit

if TYPE_CHECKING:
    from .. import types as t
    from .pages import AsyncPage


class AsyncAccount(AsyncResource):
    """`ph.account`."""

    async def get(self) -> t.Account:
        """Get the account."""
        return await self._call("getAccount", {}, {})

    async def change(self, *, name: str) -> t.Account:
        """Change the display name.

        Args:
            name: The display name, 1 to 100 characters.
        """
        return await self._call("changeAccount", {}, {}, {"name": name})

    async def delete(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
    ) -> None:
        """Delete the account and everything it owns.

        The key stops working immediately. The workspace is deleted too, with its prompts,
        invitations and service accounts, whose keys stop working. The members of the workspace
        lose access (`GET /api/members` lists them). The account’s memberships in other
        workspaces end. Requires a browser session, the password and, with two-factor
        authentication, a code.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        await self._call(
            "deleteAccount",
            {},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def start_two_factor(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
    ) -> t.TwoFactorSecret:
        """Get a secret for an authenticator app.

        Signing in does not require a code until you confirm the first code. Each call returns
        a new secret.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: A recovery code, if the account has a passkey and the password is given.
        """
        return await self._call(
            "startTwoFactor",
            {},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def stop_two_factor(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
    ) -> None:
        """Disable two-factor authentication.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        await self._call(
            "stopTwoFactor",
            {},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def confirm_two_factor(self, *, code: str) -> t.RecoveryCodes:
        """Enable two-factor authentication with the first code.

        Args:
            code: The current 6 digits from the authenticator app.
        """
        return await self._call("confirmTwoFactor", {}, {}, {"code": code})

    async def replace_recovery_codes(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
    ) -> t.RecoveryCodes:
        """Replace the recovery codes.

        The old codes stop working immediately.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        return await self._call(
            "replaceRecoveryCodes",
            {},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def request_verification(self) -> t.VerificationAccepted:
        """Send a verification link to the account's email address.

        The link works once and expires after 24 hours. Without a mail server, the link is
        written to the log for the operator.
        """
        return await self._call("requestVerification", {}, {})

    def list_activity(self, *, limit: int | None = None) -> AsyncPage[t.AccountEvent]:
        """List account activity.

        Lists sign-ins, key resets, password changes, and changes to the members and settings
        of the workspace, newest first. Events are kept for 400 days, or for the time set with
        ACTIVITY_RETENTION, up to 10,000 of each type.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listActivity", {}, {"limit": limit})

    def list_notifications(self, *, limit: int | None = None) -> AsyncPage[t.Notification]:
        """List notifications, newest first.

        Lists the newest 200 notifications from the last 90 days, from all workspaces. The list
        omits kinds that you have turned off, and notifications that your present role in the
        workspace does not allow you to see.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listNotifications", {}, {"limit": limit})

    async def read_notifications(
        self,
        *,
        ids: Sequence[str] | None = None,
        up_to: str | None = None,
    ) -> None:
        """Mark notifications as read.

        Args:
            up_to: Marks this notification and all older notifications as read.
        """
        await self._call(
            "readNotifications",
            {},
            {},
            {"ids": OMIT if ids is None else ids, "upTo": OMIT if up_to is None else up_to},
        )

    async def get_notification_settings(self) -> t.NotificationSettings:
        """Get your notification settings."""
        return await self._call("getNotificationSettings", {}, {})

    async def change_notification_settings(
        self,
        *,
        invited: t.NotificationSettingsChangeInvited | None = None,
        role_changed: t.NotificationSettingsChangeRoleChanged | None = None,
        removed: t.NotificationSettingsChangeRemoved | None = None,
        workspace_transferred: t.NotificationSettingsChangeWorkspaceTransferred | None = None,
        webhook_disabled: t.NotificationSettingsChangeWebhookDisabled | None = None,
        budget_used_up: t.NotificationSettingsChangeBudgetUsedUp | None = None,
        release_stopped: t.NotificationSettingsChangeReleaseStopped | None = None,
        review_requested: t.NotificationSettingsChangeReviewRequested | None = None,
        proposal_reviewed: t.NotificationSettingsChangeProposalReviewed | None = None,
        proposal_applied: t.NotificationSettingsChangeProposalApplied | None = None,
        proposal_failed: t.NotificationSettingsChangeProposalFailed | None = None,
        mentioned: t.NotificationSettingsChangeMentioned | None = None,
        comment_added: t.NotificationSettingsChangeCommentAdded | None = None,
        new_sign_in: t.NotificationSettingsChangeNewSignIn | None = None,
    ) -> t.NotificationSettings:
        """Change your notification settings."""
        return await self._call(
            "changeNotificationSettings",
            {},
            {},
            {
                "invited": OMIT if invited is None else invited,
                "role_changed": OMIT if role_changed is None else role_changed,
                "removed": OMIT if removed is None else removed,
                "workspace_transferred": OMIT if workspace_transferred is None else workspace_transferred,
                "webhook_disabled": OMIT if webhook_disabled is None else webhook_disabled,
                "budget_used_up": OMIT if budget_used_up is None else budget_used_up,
                "release_stopped": OMIT if release_stopped is None else release_stopped,
                "review_requested": OMIT if review_requested is None else review_requested,
                "proposal_reviewed": OMIT if proposal_reviewed is None else proposal_reviewed,
                "proposal_applied": OMIT if proposal_applied is None else proposal_applied,
                "proposal_failed": OMIT if proposal_failed is None else proposal_failed,
                "mentioned": OMIT if mentioned is None else mentioned,
                "comment_added": OMIT if comment_added is None else comment_added,
                "new_sign_in": OMIT if new_sign_in is None else new_sign_in,
            },
        )


class AsyncActivity(AsyncResource):
    """`ph.activity`."""

    def list(
        self,
        *,
        type: Literal["prompts", "labels", "members", "keys", "settings", "webhooks", "models", "proposals", "comments", "gates", "created", "version_saved", "version_deleted", "label_moved", "label_removed", "release_started", "release_widened", "release_paused", "release_resumed", "release_rolled_back", "release_finished", "renamed", "described", "deleted", "restored", "cases_changed", "copied", "moved_in", "moved_out", "member_invited", "invitation_removed", "member_joined", "member_role_changed", "member_removed", "member_left", "workspace_transferred", "service_account_created", "service_account_key_reset", "key_reset", "workspace_created", "workspace_changed", "webhook_created", "webhook_changed", "webhook_secret_rotated", "webhook_disabled", "webhook_deleted", "model_created", "model_changed", "model_deleted", "prompts_imported", "prompt_copied", "proposal_opened", "proposal_approved", "proposal_declined", "proposal_applied", "proposal_failed", "proposal_withdrawn", "proposal_expired", "comment_added", "comment_replied", "comment_resolved", "comment_reopened", "comment_deleted"] | None = None,
        prompt: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
    ) -> AsyncPage[t.ActivityEntry]:
        """List what happened in the workspace.

        Lists changes to prompts, labels, members, keys, settings, webhooks and model
        connections, newest first, and who made them. Entries about models require the role
        `editor`. Entries about webhooks and invitations, and about copies of prompts to other
        workspaces, require the role `admin`. Entries about a prompt are deleted together with
        the prompt, 30 days after it was moved to the bin. If few entries match the filters, a
        page may be empty although more entries follow. Continue until `nextCursor` is null. A
        new entry appears within about a second.

        Requires the role `viewer`.

        Args:
            type: Only entries of this kind or type. `gates` selects changes to gates, label
                moves that overrode a gate, and restored prompts that overrode one.
            prompt: The current name of a prompt, or the last name of a prompt in the bin.
            from_: ISO 8601. Only entries at or after this time.
            to: ISO 8601. Only entries before this time.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list(
            "listWorkspaceActivity",
            {},
            {
                "type": type,
                "prompt": prompt,
                "from": from_,
                "to": to,
                "limit": limit,
            },
        )


class AsyncAuth(AsyncResource):
    """`ph.auth`."""

    async def register(
        self,
        *,
        email: str,
        password: str,
        name: str | None = None,
        invitation: str | None = None,
    ) -> t.TokenInfo:
        """Create an account.

        Args:
            email: Case-insensitive.
            password: 8 to 128 characters of any kind. 15 or more are recommended. Very common
                passwords are rejected.
            name: Default: the part of `email` before the @.
            invitation: The token of an invitation to `email`. The token allows registration
                even if registration is closed. Registering does not accept the invitation.
                Sign in and accept the invitation afterwards.
        """
        return await self._call(
            "register",
            {},
            {},
            {
                "email": email,
                "password": password,
                "name": OMIT if name is None else name,
                "invitation": OMIT if invitation is None else invitation,
            },
        )

    async def obtain(self, *, email: str, password: str, code: str | None = None) -> t.TokenInfo:
        """Get the key by signing in with email and password.

        Args:
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        return await self._call(
            "obtainToken",
            {},
            {},
            {"email": email, "password": password, "code": OMIT if code is None else code},
        )

    async def verify(self) -> t.TokenInfo:
        """Verify the key."""
        return await self._call("verifyToken", {}, {})

    async def reset(self) -> t.NewToken:
        """Reset the key.

        The old key stops working immediately.
        """
        return await self._call("resetToken", {}, {})


class AsyncCandidates(AsyncResource):
    """`ph.candidates`."""

    def list(self, name: str, *, limit: int | None = None) -> AsyncPage[t.Candidate]:
        """List candidates, oldest first.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listCandidates", {"name": name}, {"limit": limit})

    async def create(
        self,
        name: str,
        *,
        title: str,
        syntax: Literal["liquid", "mustache"] | None = None,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        variables: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        message: str | None = None,
        base_version: int | None = None,
    ) -> t.SavedCandidate:
        """Create a candidate.

        A candidate is content without a version number, which every editor in the workspace
        can change. A prompt can have up to 50 candidates. Their size counts toward the content
        quota of the workspace.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            title: What the candidate is about.
            syntax: The language of the templates.
            template: A template, up to 262,144 characters.
            variables: Describes variables: type, description, default, example and values. If
                the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            message: The version message: a note about what changed, which the history shows.
            base_version: The version on which the candidate is based. Default: the newest
                version, or the candidate’s previous base version.
        """
        return await self._call(
            "createCandidate",
            {"name": name},
            {},
            {
                "title": title,
                "syntax": OMIT if syntax is None else syntax,
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "variables": OMIT if variables is None else variables,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "message": OMIT if message is None else message,
                "baseVersion": OMIT if base_version is None else base_version,
            },
        )

    async def get(self, name: str, id: str) -> t.Candidate:
        """Get a candidate.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("getCandidate", {"name": name, "id": id}, {})

    async def change(
        self,
        name: str,
        id: str,
        *,
        title: str,
        revision: int,
        syntax: Literal["liquid", "mustache"] | None = None,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        variables: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        message: str | None = None,
        base_version: int | None = None,
    ) -> t.SavedCandidate:
        """Replace the content of a candidate.

        If someone has changed the candidate since `revision`, the response is 409
        `candidate_changed`.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            title: What the candidate is about.
            syntax: The language of the templates.
            template: A template, up to 262,144 characters.
            variables: Describes variables: type, description, default, example and values. If
                the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            message: The version message: a note about what changed, which the history shows.
            base_version: The version on which the candidate is based. Default: the newest
                version, or the candidate’s previous base version.
            revision: Increases with every change. A change that names an older revision is
                refused with 409 `candidate_changed`.
        """
        return await self._call(
            "changeCandidate",
            {"name": name, "id": id},
            {},
            {
                "title": title,
                "syntax": OMIT if syntax is None else syntax,
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "variables": OMIT if variables is None else variables,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "message": OMIT if message is None else message,
                "baseVersion": OMIT if base_version is None else base_version,
                "revision": revision,
            },
        )

    async def delete(self, name: str, id: str) -> None:
        """Delete a candidate.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        await self._call("deleteCandidate", {"name": name, "id": id}, {})

    async def apply(
        self,
        name: str,
        id: str,
        *,
        revision: int,
        strict: Literal["true", "false"] | None = None,
        labels: Sequence[str] | None = None,
    ) -> t.SavedVersion:
        """Save a candidate as a new version.

        The candidate is deleted. The author of the version is the person who last changed the
        candidate. If a newer version than `baseVersion` was saved, the response is 409
        `version_conflict`: change the candidate, with the newest version as its `baseVersion`.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            revision: Increases with every change. A change that names an older revision is
                refused with 409 `candidate_changed`.
            labels: Labels to move to this version.
        """
        return await self._call(
            "applyCandidate",
            {"name": name, "id": id},
            {"strict": strict},
            {"revision": revision, "labels": OMIT if labels is None else labels},
        )


class AsyncCases(AsyncResource):
    """`ph.cases`."""

    def list(self, name: str, *, limit: int | None = None) -> AsyncPage[t.Case]:
        """List or export the test cases of a prompt.

        You can import the response into any prompt.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listCases", {"name": name}, {"limit": limit})

    async def create(
        self,
        name: str,
        *,
        new_name: str,
        variables: Mapping[str, Any] | None = None,
        checks: Sequence[t.CaseCheck] | None = None,
    ) -> t.Case:
        """Add a test case.

        A prompt can have up to 500 test cases, 4 MiB in total. Their size counts toward the
        content quota of the workspace.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            variables: Values by variable name. The value of a placeholder is an array of
                messages.
            checks: The test case passes if all checks pass.
        """
        return await self._call(
            "createCase",
            {"name": name},
            {},
            {"name": new_name, "variables": OMIT if variables is None else variables, "checks": OMIT if checks is None else checks},
        )

    async def import_(self, name: str, *, data: Sequence[t.CaseImportDataItem]) -> t.ImportedCases:
        """Add several test cases in one transaction.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            data: Test cases in the format of the list response. They are added to the existing
                test cases.
        """
        return await self._call("importCases", {"name": name}, {}, {"data": data})

    async def change(
        self,
        name: str,
        id: str,
        *,
        new_name: str | None = None,
        variables: Mapping[str, Any] | None = None,
        checks: Sequence[t.CaseCheck] | None = None,
    ) -> t.Case:
        """Change a test case.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            variables: Values by variable name. The value of a placeholder is an array of
                messages.
            checks: The test case passes if all checks pass.
        """
        return await self._call(
            "changeCase",
            {"name": name, "id": id},
            {},
            {"name": OMIT if new_name is None else new_name, "variables": OMIT if variables is None else variables, "checks": OMIT if checks is None else checks},
        )

    async def delete(self, name: str, id: str) -> None:
        """Delete a test case.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        await self._call("deleteCase", {"name": name, "id": id}, {})


class AsyncChecks(AsyncResource):
    """`ph.checks`."""

    async def run(
        self,
        name: str,
        *,
        label: str | Literal["latest"] | None = None,
        version: int | None = None,
        candidate: str | None = None,
        connection: str | None = None,
        model: str | None = None,
        parallel: int | None = None,
    ) -> t.Check:
        """Run all test cases on a version.

        Responds with server-sent events: `case` `{done, total, case}` for each test case, then
        `done` with the summary, or `error`. With `Accept: application/json`, there is a single
        JSON response. If the client disconnects or loses access, the check run is canceled. A
        check run can take up to an hour. A workspace can have two check runs in progress.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            candidate: The id of a candidate, instead of a label or a version.
            connection: The id or name of the model connection. Not needed if all checks apply
                to the rendered prompt.
            parallel: How many test cases run at the same time.
        """
        return await self._call(
            "runChecks",
            {"name": name},
            {},
            {
                "label": OMIT if label is None else label,
                "version": OMIT if version is None else version,
                "candidate": OMIT if candidate is None else candidate,
                "connection": OMIT if connection is None else connection,
                "model": OMIT if model is None else model,
                "parallel": OMIT if parallel is None else parallel,
            },
        )

    def list(
        self,
        name: str,
        *,
        limit: int | None = None,
        version: int | None = None,
    ) -> AsyncPage[t.CheckSummary]:
        """List check runs, newest first.

        The service keeps the last 100 check runs of each prompt, and up to 1,000 check runs or
        128 MiB per workspace.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
            version: Only check runs of this version.
        """
        return self._list(
            "listChecks",
            {"name": name},
            {"limit": limit, "version": version},
        )

    async def get(self, name: str, id: str) -> t.Check:
        """Get a check run with the result of each test case.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("getCheck", {"name": name, "id": id}, {})


class AsyncCommandLineSignIn(AsyncResource):
    """`ph.command_line_sign_in`."""

    async def start_cli_sign_in(
        self,
        *,
        challenge: str,
        computer: str,
        port: int | None = None,
    ) -> t.StartedCliSignIn:
        """Start a command-line sign-in.

        The sign-in expires after 10 minutes.

        Args:
            challenge: The SHA-256 digest of a random verifier, in base64url.
            computer: The name of the computer, which the person who approves the sign-in sees.
            port: The port on 127.0.0.1 to which the browser returns with a code. Without a
                port, the person types the user code in the dashboard, and the command polls
                until the sign-in is approved.
        """
        return await self._call(
            "startCliSignIn",
            {},
            {},
            {"challenge": challenge, "computer": computer, "port": OMIT if port is None else port},
        )

    async def claim_cli_sign_in(self, *, verifier: str, code: str | None = None) -> t.TokenInfo:
        """Get the key of an approved sign-in.

        Works once. The response is 409 with the code `cli_sign_in_pending` until a person
        approves or denies the sign-in, 403 if the person denied it, and 400 if it is not valid
        or has expired.

        Args:
            verifier: The random verifier. The challenge is its digest.
            code: The code with which the browser returned to the port. Required if the sign-in
                has a port.
        """
        return await self._call(
            "claimCliSignIn",
            {},
            {},
            {"verifier": verifier, "code": OMIT if code is None else code},
        )

    async def get_cli_sign_in(self, code: str) -> t.CliSignIn:
        """Get a command-line sign-in that is waiting for an answer.

        This is a POST, because wrong codes are counted: after five of them, the account has to
        wait.
        """
        return await self._call("getCliSignIn", {"code": code}, {})

    async def approve_cli_sign_in(self, code: str) -> t.AnsweredCliSignIn:
        """Approve a command-line sign-in.

        The command gets the account's API key.
        """
        return await self._call("approveCliSignIn", {"code": code}, {})

    async def deny_cli_sign_in(self, code: str) -> t.AnsweredCliSignIn:
        """Deny a command-line sign-in."""
        return await self._call("denyCliSignIn", {"code": code}, {})


class AsyncComments(AsyncResource):
    """`ph.comments`."""

    def list_discussion(
        self,
        *,
        proposal: str | None = None,
        prompt: str | None = None,
        version: int | None = None,
        candidate: str | None = None,
        limit: int | None = None,
    ) -> AsyncPage[t.DiscussionComment]:
        """List comments grouped by thread, oldest first.

        Send `proposal`, or `prompt` with or without `version` or `candidate`. The replies of a
        thread follow its first comment.

        Requires the role `viewer`.

        Args:
            proposal: Only comments that belong to this proposal.
            prompt: Only comments on the versions and candidates of this prompt.
            version: Only comments on this version of the prompt.
            candidate: Only comments on this candidate of the prompt.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list(
            "listDiscussion",
            {},
            {
                "proposal": proposal,
                "prompt": prompt,
                "version": version,
                "candidate": candidate,
                "limit": limit,
            },
        )

    async def add_comment(
        self,
        *,
        text: str,
        proposal: str | None = None,
        prompt: str | None = None,
        version: int | None = None,
        candidate: str | None = None,
        anchor: t.NewCommentAnchor | None = None,
        reply_to: str | None = None,
    ) -> t.DiscussionComment:
        """Add a comment, or reply to one.

        A comment is about a proposal (`proposal`), about a version or candidate (`prompt` with
        `version` or `candidate`), or about both, to comment on the content of a proposal.
        `anchor` names a line of the version or candidate. A thread can have up to 100
        comments, a proposal 500, a prompt 2,000 and a workspace 50,000.

        Requires the role `editor`.

        Args:
            text: `@` with the name or email address of a member mentions this member.
            proposal: The proposal. With `prompt`, the comment is also about its version or
                candidate.
            prompt: The name of the prompt.
            version: The version of the prompt.
            candidate: The id of a candidate of the prompt, instead of a version.
            reply_to: The id of a comment in the thread to reply to. Then send only `text`.
        """
        return await self._call(
            "addComment",
            {},
            {},
            {
                "text": text,
                "proposal": OMIT if proposal is None else proposal,
                "prompt": OMIT if prompt is None else prompt,
                "version": OMIT if version is None else version,
                "candidate": OMIT if candidate is None else candidate,
                "anchor": OMIT if anchor is None else anchor,
                "replyTo": OMIT if reply_to is None else reply_to,
            },
        )

    async def change_comment(
        self,
        id: str,
        *,
        text: str | None = None,
        resolved: bool | None = None,
    ) -> t.DiscussionComment:
        """Change your own comment, or resolve or reopen a thread.

        Requires the role `editor`.

        Args:
            text: The new text. Only the author can change it. Nobody is notified.
            resolved: Resolves or reopens the thread. Only for the first comment of a thread.
        """
        return await self._call(
            "changeComment",
            {"id": id},
            {},
            {"text": OMIT if text is None else text, "resolved": OMIT if resolved is None else resolved},
        )

    async def delete_comment(self, id: str) -> None:
        """Delete your own comment, or any comment as an admin.

        The first comment of a thread that has replies remains without its text.

        Requires the role `editor`.
        """
        await self._call("deleteComment", {"id": id}, {})


class AsyncDescription(AsyncResource):
    """`ph.description`."""

    async def openapi(self) -> Any:
        """Get this API description (OpenAPI 3.1)."""
        return await self._call("openapi", {}, {})


class AsyncFavorites(AsyncResource):
    """`ph.favorites`."""

    async def list(self) -> t.FavoriteList:
        """List your favorites in the workspace.

        Requires the role `viewer`.
        """
        return await self._call("listFavorites", {}, {})

    async def add(self, name: str) -> None:
        """Add a prompt to your favorites.

        A renamed prompt stays a favorite. You can have 200 favorites in each workspace.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        await self._call("addFavorite", {"name": name}, {})

    async def remove(self, name: str) -> None:
        """Remove a prompt from your favorites.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        await self._call("removeFavorite", {"name": name}, {})


class AsyncFeedback(AsyncResource):
    """`ph.feedback`."""

    async def send(
        self,
        *,
        prompt: str,
        name: str,
        value: float | bool | str,
        version: int | None = None,
        label: str | None = None,
        trace_id: str | None = None,
        response_id: str | None = None,
        key: str | None = None,
        comment: str | None = None,
        id: str | None = None,
    ) -> None:
        """Rate a call or a version.

        Adds a score to the results of a version. The version is the one in `version`, or that
        of the call with `traceId` or `responseId`, or else the version at the label. If the
        call has not been reported yet, the score waits for it for up to 72 hours.

        Requires the role `viewer`.

        Args:
            prompt: The name of a prompt.
            label: The label with which the prompt was fetched. Without a version, the default
                is `production`.
            trace_id: The id of the trace to which the call belongs. Feedback can refer to it
                for 72 hours.
            response_id: The id that the model API gave to its response. Feedback can refer to
                it for 72 hours.
            key: The key with which the prompt was fetched, if neither `traceId` nor
                `responseId` is sent. If the label has a release, the score counts for the
                release, and the default version is the one that the weights assign to the key.
                Only a hash of the key is kept.
            name: Such as `helpful`.
            value: A number, true or false, or the name of a category. Values of different
                types under one name are separate scores.
            comment: Kept for 90 days and shown with the results.
            id: Feedback that is sent again with the same id is counted once.
        """
        await self._call(
            "sendFeedback",
            {},
            {},
            {
                "prompt": prompt,
                "version": OMIT if version is None else version,
                "label": OMIT if label is None else label,
                "traceId": OMIT if trace_id is None else trace_id,
                "responseId": OMIT if response_id is None else response_id,
                "key": OMIT if key is None else key,
                "name": name,
                "value": value,
                "comment": OMIT if comment is None else comment,
                "id": OMIT if id is None else id,
            },
        )

    async def create_token(
        self,
        *,
        prompt: str,
        version: int | None = None,
        label: str | None = None,
        key: str | None = None,
    ) -> t.FeedbackToken:
        """Create a token for feedback from browsers.

        Pass the token to a page. For 24 hours, the page can use it to rate this version, and
        for nothing else.

        Requires the role `viewer`.

        Args:
            prompt: The name of a prompt.
            key: The key with which the prompt was fetched. If the label has a release, the
                feedback counts for the release, and the default version is the one that the
                weights assign to the key. The token contains only a hash of the key.
        """
        return await self._call(
            "createFeedbackToken",
            {},
            {},
            {
                "prompt": prompt,
                "version": OMIT if version is None else version,
                "label": OMIT if label is None else label,
                "key": OMIT if key is None else key,
            },
        )

    async def send_with_token(
        self,
        *,
        token: str,
        name: str,
        value: float | bool | str,
        comment: str | None = None,
        id: str | None = None,
    ) -> None:
        """Rate a version from a browser.

        Works from pages of any origin, without a key or a cookie. The token identifies the
        version.

        Args:
            name: Such as `helpful`.
            value: A number, true or false, or the name of a category. Values of different
                types under one name are separate scores.
            comment: Kept for 90 days and shown with the results.
            id: Feedback that is sent again with the same id is counted once.
        """
        await self._call(
            "sendBrowserFeedback",
            {},
            {},
            {
                "token": token,
                "name": name,
                "value": value,
                "comment": OMIT if comment is None else comment,
                "id": OMIT if id is None else id,
            },
        )


class AsyncHealth(AsyncResource):
    """`ph.health`."""

    async def health(self) -> t.Health:
        """Liveness: check that the process is running."""
        return await self._call("health", {}, {})

    async def readiness(self) -> t.Health:
        """Readiness: check that the database responds."""
        return await self._call("readiness", {}, {})


class AsyncLabels(AsyncResource):
    """`ph.labels`."""

    async def move(
        self,
        name: str,
        label: str,
        *,
        version: int,
        strict: Literal["true", "false"] | None = None,
        override: str | None = None,
    ) -> t.SavedVersion:
        """Move a label to a version (deploy or roll back).

        A gated label (see the workspace settings) moves only to a version that has passed all
        current test cases of the prompt. Otherwise the response is 409 `checks_required`.
        Passing checks are not needed if the prompt has no test cases, or if the label moves
        back to a version that it reached before without an override. Admins can also move it
        back to a version that it reached with an override. `warnings` lists the problems at
        the label after the move: missing includes, empty messages, and variables that callers
        do not send.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            override: The reason for moving a gated label without passing checks. Requires the
                role `admin`. The reason is shown in the history and the event.
        """
        return await self._call(
            "moveLabel",
            {"name": name, "label": label},
            {"strict": strict},
            {"version": version, "override": OMIT if override is None else override},
        )

    async def remove(
        self,
        name: str,
        label: str,
        *,
        strict: Literal["true", "false"] | None = None,
    ) -> None:
        """Remove a label.

        If another prompt includes this one at the label, that prompt can no longer be
        rendered. The header `x-promptharbor-warning` then names one such prompt. With
        `strict=true`, the response is 409 instead.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
        """
        await self._call(
            "removeLabel",
            {"name": name, "label": label},
            {"strict": strict},
        )


class AsyncLangfuse(AsyncResource):
    """`ph.langfuse`."""

    async def list_langfuse_prompts(
        self,
        *,
        name: str | None = None,
        label: str | None = None,
        tag: str | None = None,
        page: int | None = None,
        limit: int | None = None,
        from_updated_at: str | None = None,
        to_updated_at: str | None = None,
    ) -> t.LangfusePromptList:
        """List prompts.

        Requires the role `viewer`.

        Args:
            name: Only the prompt with exactly this name.
            from_updated_at: Only prompts that were last changed at this time or later.
            to_updated_at: Only prompts that were last changed before this time.
        """
        return await self._call(
            "listLangfusePrompts",
            {},
            {
                "name": name,
                "label": label,
                "tag": tag,
                "page": page,
                "limit": limit,
                "fromUpdatedAt": from_updated_at,
                "toUpdatedAt": to_updated_at,
            },
        )

    async def create_langfuse_prompt(
        self,
        *,
        name: str,
        prompt: str | Sequence[t.NewLangfusePromptPrompt2Item | t.NewLangfusePromptPrompt2Item2],
        type: Literal["text", "chat"] | None = None,
        config: Any = OMIT,
        labels: Sequence[str] | None | Omit = OMIT,
        tags: Sequence[str] | None | Omit = OMIT,
        commit_message: str | None | Omit = OMIT,
    ) -> t.LangfusePrompt:
        """Save a version, and create the prompt if it does not exist.

        The version is saved as mustache. There is one exception: if the text equals the text
        of the newest version or of the version at `production`, and that version is written in
        Liquid, the new version is saved as Liquid too. The new version gets only the labels in
        the request. The header `x-promptharbor-warning` reports problems at these labels.

        Requires the role `editor`.

        Args:
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
        """
        return await self._call(
            "createLangfusePrompt",
            {},
            {},
            {
                "name": name,
                "type": OMIT if type is None else type,
                "prompt": prompt,
                "config": config,
                "labels": labels,
                "tags": tags,
                "commitMessage": commit_message,
            },
        )

    async def get_langfuse_prompt(
        self,
        name: str,
        *,
        version: int | None = None,
        label: str | None = None,
        resolve: Literal["true", "false"] | None = None,
    ) -> t.LangfusePrompt:
        """Get a prompt by label or version.

        The header `x-promptharbor-warning` reports Liquid that the Langfuse SDKs cannot
        render. The response is 409 if an included prompt cannot be inserted.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: Default: `production`.
            resolve: Whether to replace tags with the prompts that they include.
        """
        return await self._call(
            "getLangfusePrompt",
            {"name": name},
            {"version": version, "label": label, "resolve": resolve},
        )

    async def delete_langfuse_prompt(
        self,
        name: str,
        *,
        version: int | None = None,
        label: str | None = None,
    ) -> None:
        """Delete a version or a whole prompt.

        If you send neither `version` nor `label`, or if you delete the only version, the
        prompt is moved to the bin.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: Default: `production`.
        """
        await self._call(
            "deleteLangfusePrompt",
            {"name": name},
            {"version": version, "label": label},
        )

    async def label_langfuse_prompt(self, name: str, version: int, *, new_labels: Sequence[str]) -> t.LangfusePrompt:
        """Add labels to a version.

        The header `x-promptharbor-warning` reports problems at these labels.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call(
            "labelLangfusePrompt",
            {"name": name, "version": version},
            {},
            {"newLabels": new_labels},
        )

    async def get_langfuse_projects(self) -> t.LangfuseProjects:
        """Get the workspace of the key as a Langfuse project.

        Requires the role `viewer`.
        """
        return await self._call("getLangfuseProjects", {}, {})

    async def get_langfuse_health(self) -> t.LangfuseHealth:
        """Check whether the service is running."""
        return await self._call("getLangfuseHealth", {}, {})

    async def report_langfuse_traces(self, *, body: Any) -> t.TraceResponse:
        """Report model calls with a Langfuse SDK.

        Does the same as `POST /v1/traces`, at the path that Langfuse’s SDKs use.

        Requires the role `viewer`.
        """
        return await self._call("reportLangfuseTraces", {}, {}, body)

    async def report_langfuse_events(self, *, batch: Sequence[t.LangfuseBatchBatchItem]) -> t.LangfuseBatchOutcome:
        """Report model calls and scores in a batch.

        Counts scores. Counts a generation as a call if it names a prompt in the workspace. All
        other events are accepted and dropped. Inputs and outputs are not kept.

        Requires the role `viewer`.
        """
        return await self._call("reportLangfuseEvents", {}, {}, {"batch": batch})

    async def create_langfuse_score(
        self,
        *,
        name: str,
        value: float | bool | str,
        id: str | None = None,
        trace_id: str | None | Omit = OMIT,
        observation_id: str | None | Omit = OMIT,
        data_type: str | None | Omit = OMIT,
        comment: str | None | Omit = OMIT,
    ) -> t.LangfuseScoreReceipt:
        """Rate a call or a trace.

        If the call has not been reported yet, the score waits for it for up to 72 hours.

        Requires the role `viewer`.

        Args:
            id: A score that is sent again with the same id is counted once.
        """
        return await self._call(
            "createLangfuseScore",
            {},
            {},
            {
                "id": OMIT if id is None else id,
                "traceId": trace_id,
                "observationId": observation_id,
                "name": name,
                "value": value,
                "dataType": data_type,
                "comment": comment,
            },
        )


class AsyncMembers(AsyncResource):
    """`ph.members`."""

    def list(self, *, limit: int | None = None) -> AsyncPage[t.Member]:
        """List the members, service accounts and open invitations.

        Requires the role `viewer`.

        Args:
            limit: The maximum number of members and invitations in total.
        """
        return self._list("listMembers", {}, {"limit": limit})

    async def change(
        self,
        user_id: str,
        *,
        role: Literal["viewer", "editor", "deployer", "admin"],
    ) -> t.Member:
        """Change the role of a member or service account.

        The change takes effect immediately, including in open sessions of the member. If the
        member is no longer an admin, their open invitations are withdrawn. The role of the
        owner cannot be changed.

        Requires the role `admin`.

        Args:
            role: `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of
                the roles before it. The role `owner` cannot be assigned.
        """
        return await self._call("changeMember", {"userId": user_id}, {}, {"role": role})

    async def remove(self, user_id: str) -> None:
        """Remove a member, delete a service account or leave the workspace.

        The change takes effect immediately. Open invitations that the member sent are
        withdrawn. Everyone can remove themselves. Removing other members requires the role
        `admin`. The owner cannot be removed.

        Requires the role `viewer`.
        """
        await self._call("removeMember", {"userId": user_id}, {})

    async def create_service_account(
        self,
        *,
        name: str,
        role: Literal["viewer", "editor", "deployer", "admin"],
    ) -> t.CreatedServiceAccount:
        """Create a service account.

        A service account gives a program a key with its own role. It belongs to this
        workspace, has no password and cannot sign in. The key is shown only in this response.
        Without `PromptHarbor-Workspace`, the key acts in this workspace.

        Requires the role `admin`.

        Args:
            name: The name of the program, 1 to 100 characters.
            role: `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of
                the roles before it. The role `owner` cannot be assigned.
        """
        return await self._call("createServiceAccount", {}, {}, {"name": name, "role": role})

    async def reset_service_account_key(self, user_id: str) -> t.NewToken:
        """Reset the key of a service account.

        The old key stops working immediately.

        Requires the role `admin`.
        """
        return await self._call("resetServiceAccountKey", {"userId": user_id}, {})

    async def invite(
        self,
        *,
        email: str,
        role: Literal["viewer", "editor", "deployer", "admin"],
    ) -> t.CreatedInvitation:
        """Invite someone by email.

        The link works once, only for this email, and expires after 7 days. If the service has
        a mail server, the link is also sent by email. The link is shown only in this response.
        Inviting the same email again replaces the link.

        Requires the role `admin`.

        Args:
            email: Only the account with this email can accept the invitation.
                Case-insensitive.
            role: `viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of
                the roles before it. The role `owner` cannot be assigned.
        """
        return await self._call("inviteMember", {}, {}, {"email": email, "role": role})

    async def remove_invitation(self, id: str) -> None:
        """Withdraw an invitation.

        Its link stops working immediately.

        Requires the role `admin`.
        """
        await self._call("removeInvitation", {"id": id}, {})

    async def get_invitation(self, token: str) -> t.ReceivedInvitation:
        """Get an invitation by its link.

        Anyone who has the link can call this. The response does not reveal whether the email
        has an account.

        Args:
            token: The last segment of the invitation link.
        """
        return await self._call("getInvitation", {"token": token}, {})

    async def accept_invitation(self, token: str) -> t.AcceptedInvitation:
        """Accept an invitation with the signed-in account.

        Requires a browser session of the account with the invited email. If you have no
        account, register first, with the token as `invitation`. If the email address of the
        account is not verified, its first accepted invitation revokes all earlier access, like
        `POST /api/session/verify-email`. The response then sets the cookie of a new session.

        Args:
            token: The last segment of the invitation link.
        """
        return await self._call("acceptInvitation", {"token": token}, {})


class AsyncModelContextProtocol(AsyncResource):
    """`ph.model_context_protocol`."""

    async def call_mcp(
        self,
        *,
        body: Any,
        label: str | Literal["latest"] | None = None,
    ) -> t.McpMessage:
        """Serve prompts to assistants.

        Implements the Streamable HTTP transport of the Model Context Protocol, without
        sessions, for the revisions 2024-11-05 to 2026-07-28. Protocol errors are JSON-RPC
        messages. The errors listed here concern the HTTP request.

        Requires the role `viewer`.

        Args:
            label: The label whose prompts are listed and rendered. Default: `production`.
        """
        return await self._call("callMcp", {}, {"label": label}, body)


class AsyncModels(AsyncResource):
    """`ph.models`."""

    def list(self, *, limit: int | None = None) -> AsyncPage[t.ModelConnection]:
        """List the model connections.

        Requires the role `editor`.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listModels", {}, {"limit": limit})

    async def create(
        self,
        *,
        name: str,
        base_url: str,
        kind: Literal["openai", "anthropic", "gemini"] | None = None,
        models: Sequence[str] | None = None,
        prices: Mapping[str, t.NewModelConnectionPricesValue] | None = None,
        api_key: str | None = None,
    ) -> t.ModelConnection:
        """Connect a server that runs models.

        Works with any server that supports OpenAI’s chat completions, Anthropic’s Messages API
        or the Gemini API (`kind`). The key is never shown again.

        Requires the role `admin`.

        Args:
            name: Unique in the workspace. Runs can refer to the connection by this name.
            kind: The protocol of the server. Default: `openai`.
            base_url: The base URL of the server’s API, to which the service appends `/models`,
                `/chat/completions`, `/messages` or `/models/{model}:streamGenerateContent`. It
                usually ends in `/v1`, or in `/v1beta` for `gemini`. An address that is not
                public must be allowed by the setting OUTBOUND_ALLOW.
            models: The models that can be used. The first is the default. If the list is
                empty, all models are allowed.
            prices: Prices by model. They replace the built-in list prices of well-known models
                from OpenAI, Anthropic and Google. The cost of a run is unknown if its model
                has no price at all.
            api_key: Sent in the header of the protocol: `Authorization`, `x-api-key` or
                `x-goog-api-key`. Stored encrypted, for this base address only, and never shown
                again.
        """
        return await self._call(
            "createModel",
            {},
            {},
            {
                "name": name,
                "kind": OMIT if kind is None else kind,
                "baseUrl": base_url,
                "models": OMIT if models is None else models,
                "prices": OMIT if prices is None else prices,
                "apiKey": OMIT if api_key is None else api_key,
            },
        )

    async def change(
        self,
        id: str,
        *,
        name: str | None = None,
        kind: Literal["openai", "anthropic", "gemini"] | None = None,
        base_url: str | None = None,
        models: Sequence[str] | None = None,
        prices: Mapping[str, t.ModelConnectionChangePricesValue] | None = None,
        api_key: str | None | Omit = OMIT,
    ) -> t.ModelConnection:
        """Change a model connection.

        Requires the role `admin`.

        Args:
            name: Unique in the workspace. Runs can refer to the connection by this name.
            kind: The protocol of the server: `openai` for chat completions, which most servers
                have, `anthropic` for the Messages API, and `gemini` for the Gemini API. Runs
                have the same input and events with every protocol.
            base_url: Changing the address deletes the stored key unless you send a new one.
            models: The models that can be used. The first is the default. If the list is
                empty, all models are allowed.
            prices: Prices by model. They replace the built-in list prices of well-known models
                from OpenAI, Anthropic and Google. The cost of a run is unknown if its model
                has no price at all.
            api_key: A new key, or null to remove it.
        """
        return await self._call(
            "changeModel",
            {"id": id},
            {},
            {
                "name": OMIT if name is None else name,
                "kind": OMIT if kind is None else kind,
                "baseUrl": OMIT if base_url is None else base_url,
                "models": OMIT if models is None else models,
                "prices": OMIT if prices is None else prices,
                "apiKey": api_key,
            },
        )

    async def delete(self, id: str) -> None:
        """Delete a model connection.

        Requires the role `admin`.
        """
        await self._call("deleteModel", {"id": id}, {})

    async def test(self, id: str) -> t.ModelConnectionTest:
        """Test a model connection.

        Asks the server for its models, or reports what is wrong. If the server does not list
        its models, the service requests the smallest possible completion. The test takes up to
        30 seconds.

        Requires the role `admin`.
        """
        return await self._call("testModel", {"id": id}, {})


class AsyncOpenfeature(AsyncResource):
    """`ph.openfeature`."""

    async def evaluate_flag(
        self,
        key: str,
        *,
        context: t.EvaluationRequestContext | None = None,
    ) -> t.EvaluatedFlag:
        """Evaluate a prompt as a flag.

        Implements the OpenFeature Remote Evaluation Protocol (OFREP). The value is the content
        of the version that `GET /api/prompts/{name}` returns for the same key and context. A
        prompt without a release has one value for all callers.

        Requires the role `viewer`.

        Args:
            key: The name of the prompt, optionally followed by `|` and a label. Default: the
                label `production`. Slashes need not be encoded.
            context: All attributes except `targetingKey` are the context that the rules of a
                release use. Only strings, numbers and booleans match rules.
        """
        return await self._call(
            "evaluateFlag",
            {"key": key},
            {},
            {"context": OMIT if context is None else context},
        )

    async def evaluate_flags(self, *, context: t.EvaluationRequestContext | None = None) -> t.EvaluatedFlags:
        """Evaluate all prompts as flags.

        Evaluates all prompts with the label `production`, up to 500 prompts and 1,000,000
        characters. The response has an `ETag`: send it as `If-None-Match` with the same
        context, and the response is 304 as long as nothing in the workspace has changed.

        Requires the role `viewer`.

        Args:
            context: All attributes except `targetingKey` are the context that the rules of a
                release use. Only strings, numbers and booleans match rules.
        """
        return await self._call(
            "evaluateFlags",
            {},
            {},
            {"context": OMIT if context is None else context},
        )


class AsyncPasskeys(AsyncResource):
    """`ph.passkeys`."""

    async def start_passkey_sign_in(self) -> t.PasskeyRequestOptions:
        """Get the options for signing in with a passkey.

        The options are the same for everyone. Sets a cookie to which the challenge is bound.
        The response is 409 if passkeys do not work at the address of this service.
        """
        return await self._call("startPasskeySignIn", {}, {})

    async def sign_in_with_passkey(
        self,
        *,
        id: str,
        client_data_json: str,
        authenticator_data: str,
        signature: str,
        user_handle: str,
    ) -> t.User:
        """Sign in with a passkey.

        A passkey replaces the password and the code.

        Args:
            id: The id of the credential.
            client_data_json: The client data, in base64url.
            authenticator_data: The authenticator data, in base64url.
            signature: The signature, in base64url.
            user_handle: The user handle, in base64url. It identifies the account.
        """
        return await self._call(
            "signInWithPasskey",
            {},
            {},
            {
                "id": id,
                "clientDataJSON": client_data_json,
                "authenticatorData": authenticator_data,
                "signature": signature,
                "userHandle": user_handle,
            },
        )

    async def confirm_session(
        self,
        *,
        password: str | None = None,
        code: str | None = None,
        passkey: t.PasskeyAssertion | None = None,
    ) -> None:
        """Confirm your identity in this session.

        Send the password, with a code if the account has a second factor, or a passkey of the
        account. For the next 10 minutes, this session can add and remove passkeys, and make
        other changes that require the password, without sending the password again. A sign-in
        counts as a confirmation.

        Args:
            password: The account's password.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        await self._call(
            "confirmSession",
            {},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code, "passkey": OMIT if passkey is None else passkey},
        )

    async def list_passkeys(self) -> t.PasskeyList:
        """List the passkeys."""
        return await self._call("listPasskeys", {}, {})

    async def add_passkey(self, *, name: str, credential: t.NewPasskeyCredential) -> t.AddedPasskey:
        """Add a passkey.

        Requires a sign-in or a confirmation in this session within the last 10 minutes.
        Afterwards, the password alone is no longer enough to sign in: a code is also required.
        If the account had no second factor before, the response contains recovery codes, and
        all other sessions end.

        Args:
            name: A name for the passkey, 1 to 100 characters.
            credential: The new credential that the browser returned.
        """
        return await self._call(
            "addPasskey",
            {},
            {},
            {"name": name, "credential": credential},
        )

    async def start_passkey(self) -> t.PasskeyCreationOptions:
        """Get the options for creating a passkey.

        Requires a sign-in or a confirmation in this session within the last 10 minutes.
        """
        return await self._call("startPasskey", {}, {})

    async def rename_passkey(self, id: str, *, name: str) -> t.Passkey:
        """Rename a passkey.

        Args:
            name: A name for the passkey, 1 to 100 characters.
        """
        return await self._call("renamePasskey", {"id": id}, {}, {"name": name})

    async def remove_passkey(self, id: str) -> None:
        """Remove a passkey.

        Requires a sign-in or a confirmation in this session within the last 10 minutes. All
        other sessions end. If no second factor remains, the recovery codes are deleted too. An
        account keeps at least one way to sign in.
        """
        await self._call("removePasskey", {"id": id}, {})


class AsyncPrompts(AsyncResource):
    """`ph.prompts`."""

    def list(
        self,
        *,
        search: str | None = None,
        search_in: Literal["name"] | None = None,
        tag: str | None = None,
        folder: str | None = None,
        subfolders: Literal["false"] | None = None,
        label: str | Literal["latest"] | None = None,
        author: str | None = None,
        deployed: Literal["true", "false"] | None = None,
        changed_since: str | None = None,
        name: str | Sequence[str] | None = None,
        sort: Literal["name", "-name", "updatedAt", "-updatedAt"] | None = None,
        include: Literal["content", "usage", "author"] | None = None,
        deleted: bool | None = None,
        key: str | None = None,
        limit: int | None = None,
        context: Mapping[str, str | int | float | bool] | None = None,
    ) -> AsyncPage[t.ListedPrompt]:
        """List prompts.

        With `include=content`, an application can load all its prompts in one call. If the
        list is sorted by name, paging is complete even during concurrent writes. With
        `sort=-updatedAt`, a prompt that changes during paging moves to the front. If a label
        has a release, `key` and parameters such as `ctx.plan=internal` decide which `version`
        a prompt has.

        Requires the role `viewer`.

        Args:
            search: Only prompts that contain this text. The search covers the name and the
                description, and the templates, messages and config of the newest version and
                of versions with a label. It ignores case. Each prompt in the response has
                `matches`.
            search_in: Search only names.
            folder: Only prompts in this folder and its subfolders.
            subfolders: `false` excludes prompts in subfolders. Without `folder`: only prompts
                that are not in a folder.
            label: Only prompts that have this label.
            author: Only prompts whose newest version was saved by the account with this
                `userId`.
            deployed: `false`: only prompts without any label. `true`: only prompts with a
                label.
            changed_since: Only prompts whose `updatedAt` is at or after this ISO 8601 time.
            name: Only prompts with this name. Can be repeated.
            sort: A leading `-` sorts in descending order.
            include: `content` adds the version at `label` (default `production`) to each
                prompt. `author` adds who saved the newest version. `usage` adds how often the
                prompt was called in the last 24 hours and when it was last called. Responses
                with `usage` have no ETag.
            deleted: Lists the prompts in the bin instead of all other prompts.
            key: The key by which a release divides callers, such as the id of a user. If the
                label has a release, the key decides which version the response has: the same
                key always gets the same version.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
            context: Attributes that the rules of a release use.
        """
        return self._list(
            "listPrompts",
            {},
            {
                "search": search,
                "searchIn": search_in,
                "tag": tag,
                "folder": folder,
                "subfolders": subfolders,
                "label": label,
                "author": author,
                "deployed": deployed,
                "changedSince": changed_since,
                "name": name,
                "sort": sort,
                "include": include,
                "deleted": deleted,
                "key": key,
                "limit": limit,
                "context": context,
            },
        )

    async def create(
        self,
        *,
        name: str,
        strict: Literal["true", "false"] | None = None,
        type: Literal["text", "chat"] | None = None,
        description: str | None = None,
        tags: Sequence[str] | None = None,
        syntax: Literal["liquid", "mustache"] | None = None,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        variables: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        message: str | None = None,
        labels: Sequence[str] | None = None,
    ) -> t.CreatedPrompt:
        """Create a prompt.

        The first version gets the label `production` unless you send `labels`.

        Requires the role `editor`.

        Args:
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            name: 1 to 200 printable characters, except \\ | < > ". Slashes separate folders; a
                folder or name is never empty, `.` or `..`, and neither starts nor ends with a
                space. Stored in Unicode form NFC. In a URL path, encode it as one segment:
                `support%2Ftriage`.
            type: Default: `text` with `template`, `chat` with `messages`.
            tags: Up to 20 tags of up to 50 characters.
            syntax: The language of the templates.
            template: A template, up to 262,144 characters.
            variables: Describes variables: type, description, default, example and values. If
                the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            message: The version message: a note about what changed, which the history shows.
            labels: Labels to move to this version.
        """
        return await self._call(
            "createPrompt",
            {},
            {"strict": strict},
            {
                "name": name,
                "type": OMIT if type is None else type,
                "description": OMIT if description is None else description,
                "tags": OMIT if tags is None else tags,
                "syntax": OMIT if syntax is None else syntax,
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "variables": OMIT if variables is None else variables,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "message": OMIT if message is None else message,
                "labels": OMIT if labels is None else labels,
            },
        )

    async def get(
        self,
        name: str,
        *,
        label: str | Literal["latest"] | None = None,
        version: int | None = None,
        key: str | None = None,
        context: Mapping[str, str | int | float | bool] | None = None,
    ) -> t.Version:
        """Get a prompt by label or version.

        If the label has a release, `key` and the context decide which version the response
        has: the same key always gets the same version. A context is sent as parameters such as
        `ctx.plan=internal`. Without a key, the response has the control of the release.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: Default: `production`.
            version: A version number, instead of a label.
            key: The key by which a release divides callers, such as the id of a user. If the
                label has a release, the key decides which version the response has: the same
                key always gets the same version.
            context: Attributes that the rules of a release use.
        """
        return await self._call(
            "getPrompt",
            {"name": name},
            {
                "label": label,
                "version": version,
                "key": key,
                "context": context,
            },
        )

    async def change(
        self,
        name: str,
        *,
        new_name: str | None = None,
        description: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> t.Prompt:
        """Change the name, description or tags of a prompt.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            new_name: 1 to 200 printable characters, except \\ | < > ". Slashes separate
                folders; a folder or name is never empty, `.` or `..`, and neither starts nor
                ends with a space. Stored in Unicode form NFC. In a URL path, encode it as one
                segment: `support%2Ftriage`.
            tags: Up to 20 tags of up to 50 characters.
        """
        return await self._call(
            "changePrompt",
            {"name": name},
            {},
            {"name": OMIT if new_name is None else new_name, "description": OMIT if description is None else description, "tags": OMIT if tags is None else tags},
        )

    async def delete(
        self,
        name: str,
        *,
        strict: Literal["true", "false"] | None = None,
    ) -> None:
        """Move a prompt to the bin.

        The prompt stays in the bin for 30 days. Prompts that include it can no longer be
        rendered. The header `x-promptharbor-warning` then names one such prompt. With
        `strict=true`, the response is 409 instead.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
        """
        await self._call("deletePrompt", {"name": name}, {"strict": strict})

    async def restore(self, name: str, *, override: str | None = None) -> t.Prompt:
        """Restore a prompt from the bin.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            override: The reason for restoring the prompt although one of its gated labels
                points at a version that has not passed its checks. Requires the role `admin`.
                The reason is shown in the history and the event.
        """
        return await self._call(
            "restorePrompt",
            {"name": name},
            {},
            {"override": OMIT if override is None else override},
        )

    async def copy(
        self,
        name: str,
        *,
        workspace: str,
        strict: Literal["true", "false"] | None = None,
        new_name: str | None = None,
        move: bool | None = None,
    ) -> t.CopiedPrompt:
        """Copy or move a prompt to another workspace.

        Copies the versions with their numbers, dates and authors, the labels, tags,
        description, test cases and history. Authors who are not members of the other workspace
        keep only their names. Labels that are protected or gated in the other workspace are
        not copied if you may not set them there; the response warns about them. Runs, check
        runs and statistics are not copied. With `move`, the original goes to the bin of its
        workspace in the same transaction. If you copy to the same workspace, the result is a
        duplicate with its history.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            workspace: The id of the workspace to copy to, in which you need the role `editor`.
                This can be the current workspace.
            new_name: The name of the copy. Default: the name of the prompt.
            move: Moves the original to the bin of its workspace, in the same transaction.
                Requires the role `editor` in that workspace too.
        """
        return await self._call(
            "copyPrompt",
            {"name": name},
            {"strict": strict},
            {"workspace": workspace, "name": OMIT if new_name is None else new_name, "move": OMIT if move is None else move},
        )

    async def save_batch(
        self,
        *,
        items: Sequence[t.BatchItem],
        strict: Literal["true", "false"] | None = None,
        skip_unchanged: bool | None = None,
    ) -> t.SavedBatch:
        """Create prompts and save versions in one transaction.

        Saves up to 50 prompts. If one prompt cannot be saved, none is saved, and the error
        contains the index of that prompt, such as `/items/3`. Each item has the same effect as
        a separate request. The first version of a new prompt gets the label `production`
        unless you send `labels`.

        Requires the role `editor`.

        Args:
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            items: Up to 50 items with different names, and up to 200 labels in total.
            skip_unchanged: With `true`, no new version is saved if the newest version of a
                prompt has the same content and config, regardless of `baseVersion`. The labels
                in `labels` then move to the newest version. Default: `false`.
        """
        return await self._call(
            "savePrompts",
            {},
            {"strict": strict},
            {"items": items, "skipUnchanged": OMIT if skip_unchanged is None else skip_unchanged},
        )

    def list_dependents(self, name: str, *, limit: int | None = None) -> AsyncPage[t.Dependent]:
        """List the prompts that include this one.

        Considers the versions that a label or `latest` points at. Prompts that include this
        one directly come first, followed by up to 500 prompts that include it through another
        prompt. A page can be shorter than `limit` even if more prompts follow. Continue until
        `nextCursor` is null.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listDependents", {"name": name}, {"limit": limit})

    async def list_judged(self, name: str) -> t.JudgedPrompts:
        """List the prompts whose test cases use this one as a judge.

        Lists up to 100 prompts, sorted by name. If you delete this prompt, their checks fail.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("listJudged", {"name": name}, {})

    async def get_overview(
        self,
        *,
        search: str | None = None,
        search_in: Literal["name"] | None = None,
        tag: str | None = None,
        folder: str | None = None,
        subfolders: Literal["false"] | None = None,
        label: str | Literal["latest"] | None = None,
        author: str | None = None,
        deployed: Literal["true", "false"] | None = None,
        changed_since: str | None = None,
    ) -> t.Overview:
        """Count prompts and list the tags, labels and authors.

        The filters apply only to the number of prompts, not to the tags, labels and authors.

        Requires the role `viewer`.

        Args:
            search: Only prompts that contain this text. The search covers the name and the
                description, and the templates, messages and config of the newest version and
                of versions with a label. It ignores case. Each prompt in the response has
                `matches`.
            search_in: Search only names.
            folder: Only prompts in this folder and its subfolders.
            subfolders: `false` excludes prompts in subfolders. Without `folder`: only prompts
                that are not in a folder.
            label: Only prompts that have this label.
            author: Only prompts whose newest version was saved by the account with this
                `userId`.
            deployed: `false`: only prompts without any label. `true`: only prompts with a
                label.
            changed_since: Only prompts whose `updatedAt` is at or after this ISO 8601 time.
        """
        return await self._call(
            "getOverview",
            {},
            {
                "search": search,
                "searchIn": search_in,
                "tag": tag,
                "folder": folder,
                "subfolders": subfolders,
                "label": label,
                "author": author,
                "deployed": deployed,
                "changedSince": changed_since,
            },
        )

    async def list_folders(self) -> t.FolderList:
        """List the folders and the number of prompts in each.

        Requires the role `viewer`.
        """
        return await self._call("listFolders", {}, {})

    async def count_keys(self, name: str) -> t.PromptKeyCount:
        """Count the keys of a prompt.

        The more keys a prompt has, the sooner the guards of a release have enough results.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("countKeys", {"name": name}, {})

    def list_history(self, name: str, *, limit: int | None = None) -> AsyncPage[t.HistoryEntry]:
        """List the changes to a prompt, newest first.

        A workspace keeps up to 1,000,000 entries. Beyond this limit, the service deletes old
        entries, and each prompt keeps an equal share.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listHistory", {"name": name}, {"limit": limit})

    async def render(
        self,
        name: str,
        *,
        variables: Mapping[str, Any] | None = None,
        label: str | Literal["latest"] | None = None,
        version: int | None = None,
        key: str | None = None,
        context: Mapping[str, str | float | bool] | None = None,
        feedback_token: bool | None = None,
    ) -> t.RenderedPrompt:
        """Render a prompt with variables.

        If the label has a release, `key` and `context` decide which version is rendered.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            variables: Values by variable name. The value of a placeholder is an array of
                messages.
            key: The key by which a release divides callers, such as the id of a user. If the
                label has a release, the key decides which version the response has: the same
                key always gets the same version.
            context: Attributes that the rules of a release use.
            feedback_token: Whether the response contains a token with which a browser can rate
                this version for 24 hours.
        """
        return await self._call(
            "renderPrompt",
            {"name": name},
            {},
            {
                "variables": OMIT if variables is None else variables,
                "label": OMIT if label is None else label,
                "version": OMIT if version is None else version,
                "key": OMIT if key is None else key,
                "context": OMIT if context is None else context,
                "feedbackToken": OMIT if feedback_token is None else feedback_token,
            },
        )

    async def preview(
        self,
        *,
        syntax: Literal["liquid", "mustache"] | None = None,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        declarations: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        candidate: str | None = None,
        variables: Mapping[str, Any] | None = None,
        name: str | None = None,
        placeholders: bool | None = None,
        problems: bool | None = None,
    ) -> t.Preview:
        """Render a draft or a candidate.

        To use a candidate, an application has to call this operation, because labels point
        only at versions.

        Requires the role `viewer`.

        Args:
            syntax: The language of the templates.
            template: A template, up to 262,144 characters.
            declarations: Describes variables: type, description, default, example and values.
                If the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            candidate: The id of a candidate of the prompt `name`, instead of content and
                `config`.
            variables: Values by variable name. The value of a placeholder is an array of
                messages.
            name: The name of the prompt to which the draft or the candidate belongs. If the
                draft includes this prompt, rendering fails, because a prompt cannot include
                itself.
            placeholders: With `true`, missing required variables are shown by name, such as
                ‹customer.name›. Otherwise the response is 422.
            problems: With `true`, the response for a template that cannot be rendered contains
                its variables and a `problem`. Otherwise the response is 422.
        """
        return await self._call(
            "previewPrompt",
            {},
            {},
            {
                "syntax": OMIT if syntax is None else syntax,
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "declarations": OMIT if declarations is None else declarations,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "candidate": OMIT if candidate is None else candidate,
                "variables": OMIT if variables is None else variables,
                "name": OMIT if name is None else name,
                "placeholders": OMIT if placeholders is None else placeholders,
                "problems": OMIT if problems is None else problems,
            },
        )

    async def get_results(
        self,
        name: str,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["hour"] | Literal["day"] | None = None,
        time_zone: str | None = None,
        version: int | None = None,
        label: str | None = None,
        model: str | None = None,
    ) -> t.PromptResults:
        """Get the results of a prompt.

        Adds up the reported calls and scores by version and by model, and over time.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            from_: ISO 8601. Default: 24 hours before `to`.
            to: ISO 8601. Default: now.
            interval: Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The
                interval affects only the series. For both intervals, `from` is rounded down
                and `to` is rounded up to a full hour in UTC, so the totals are the same.
            time_zone: The time zone in which days begin, such as `Europe/Berlin`. Calls are
                counted by the hour in UTC, and an hour belongs to the day on which it begins
                in that time zone.
            version: Only calls of this version are counted. `0`: calls that were reported
                without a version.
            label: Only calls that were reported with this label are counted.
            model: Only calls to this model are counted.
        """
        return await self._call(
            "getPromptResults",
            {"name": name},
            {
                "from": from_,
                "to": to,
                "interval": interval,
                "timeZone": time_zone,
                "version": version,
                "label": label,
                "model": model,
            },
        )

    def list_comments(
        self,
        name: str,
        *,
        limit: int | None = None,
        version: int | None = None,
    ) -> AsyncPage[t.Comment]:
        """List comments on a prompt.

        Returns the comments that were sent with feedback in the last 90 days, newest first.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
            version: Only comments on this version are listed.
        """
        return self._list(
            "listComments",
            {"name": name},
            {"limit": limit, "version": version},
        )


class AsyncProposals(AsyncResource):
    """`ph.proposals`."""

    def list(
        self,
        *,
        limit: int | None = None,
        state: Literal["open", "ended"] | None = None,
        prompt: str | None = None,
        waiting: Literal["true"] | None = None,
    ) -> AsyncPage[t.Proposal]:
        """List proposals, newest first.

        Requires the role `viewer`.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
            state: `open`: those that can still be applied.
            prompt: Only proposals that change the prompt with this name.
            waiting: Only proposals that are waiting for your review.
        """
        return self._list(
            "listProposals",
            {},
            {
                "limit": limit,
                "state": state,
                "prompt": prompt,
                "waiting": waiting,
            },
        )

    async def open(
        self,
        *,
        changes: Sequence[t.NewProposalChangesItem],
        message: str | None = None,
        reviewers: Sequence[str] | None = None,
        apply_at: str | None = None,
    ) -> t.Proposal:
        """Open a proposal.

        A proposal moves one or more labels, each to a version, to a candidate or to a release.
        Nothing changes until it is applied. A workspace can have up to 500 open proposals. A
        proposal expires after 90 days without activity.

        Requires the role `editor`.

        Args:
            changes: The labels to move. Each has exactly one of `version`, `candidate` and
                `release`. All of them move in one transaction.
            message: What the proposal is for.
            reviewers: The ids of members who are asked for a review.
            apply_at: When the service applies the proposal, once it is approved. Without it, a
                person applies the proposal.
        """
        return await self._call(
            "openProposal",
            {},
            {},
            {
                "changes": changes,
                "message": OMIT if message is None else message,
                "reviewers": OMIT if reviewers is None else reviewers,
                "applyAt": OMIT if apply_at is None else apply_at,
            },
        )

    async def get(self, id: str) -> t.Proposal:
        """Get a proposal.

        Requires the role `viewer`.
        """
        return await self._call("getProposal", {"id": id}, {})

    async def review(
        self,
        id: str,
        *,
        verdict: Literal["approve", "decline"],
        revision: str,
        text: str | None = None,
    ) -> t.Proposal:
        """Approve or decline a proposal.

        Only people who may move the labels can approve or decline, and only in the dashboard.
        By default, the approvals of those who wrote the content or opened the proposal do not
        count.

        Requires the role `editor`.

        Args:
            verdict: `decline` ends the proposal.
            revision: The revision that was reviewed.
        """
        return await self._call(
            "reviewProposal",
            {"id": id},
            {},
            {"verdict": verdict, "text": OMIT if text is None else text, "revision": revision},
        )

    async def apply(self, id: str, *, revision: str) -> t.Proposal:
        """Apply a proposal.

        All labels move in one transaction, or none. The response is 409 if approvals are
        missing or if its effect has changed since `revision`.

        Requires the role `editor`.

        Args:
            revision: Identifies what the proposal would change. It changes if a candidate
                changes, if a prompt is renamed, if a label or release changes in the meantime,
                or if the test cases of a gated label change. Approvals count only for the
                current revision. A request with an older revision is refused with 409
                `proposal_changed`. A proposal that has ended keeps the revision of its last
                approval or refusal.
        """
        return await self._call("applyProposal", {"id": id}, {}, {"revision": revision})

    async def withdraw(self, id: str) -> t.Proposal:
        """Withdraw a proposal.

        The person or program that opened the proposal can withdraw it, and so can everyone who
        may approve or decline it.

        Requires the role `editor`.
        """
        return await self._call("withdrawProposal", {"id": id}, {})


class AsyncReleases(AsyncResource):
    """`ph.releases`."""

    async def start(
        self,
        name: str,
        label: str,
        *,
        control: int,
        arms: Sequence[t.NewReleaseArmsItem],
        strict: Literal["true", "false"] | None = None,
        rules: Sequence[t.NewReleaseRulesItem] | None = None,
        metric: str | None = None,
        guards: Sequence[t.NewReleaseGuardsItem] | None = None,
        steps: Sequence[int] | None = None,
        min_units: int | None = None,
        every_minutes: int | None = None,
        on_regression: Literal["rollback", "pause"] | None = None,
        override: str | None = None,
    ) -> t.SavedRelease:
        """Start a release.

        Callers who send a `key` get one of the arms or the control, always the same one for
        the same key. Callers without a key get the control. While the release is active, the
        label cannot be moved or removed. `warnings` lists the problems that callers of the
        arms will have. If the label requires proposals, the response is 409
        `approval_required`, and its `proposal` is the body with which you can propose the
        release.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            control: The version for everyone who gets no arm. If the label points at another
                version, the label is moved to this version first.
            rules: The first matching rule decides. Rules take precedence over weights, and
                also apply to callers without a key. All rules together: up to 16,384
                characters.
            metric: `errorRate`, `latency`, `cost`, or `score:` and the name of a score, such
                as `score:helpful`.
            guards: What an arm must not make worse. Default: `errorRate`.
            steps: Increasing weights for the only arm. The service widens the arm to the next
                weight once every guard has passed. Without steps, only people widen the arms.
            min_units: The number of units (keys with results) that the control and each arm
                need before the next step. Up to 200,000 units are kept per step. The number is
                therefore refused if a version has too small a share of the keys to ever have
                so many units.
            every_minutes: The shortest time between two steps.
            on_regression: What happens if an arm is worse than a guard allows. `rollback`:
                everyone gets the control again.
            override: The reason for moving a gated label without passing checks. Requires the
                role `admin`. The reason is shown in the history and the event.
        """
        return await self._call(
            "startRelease",
            {"name": name, "label": label},
            {"strict": strict},
            {
                "control": control,
                "arms": arms,
                "rules": OMIT if rules is None else rules,
                "metric": OMIT if metric is None else metric,
                "guards": OMIT if guards is None else guards,
                "steps": OMIT if steps is None else steps,
                "minUnits": OMIT if min_units is None else min_units,
                "everyMinutes": OMIT if every_minutes is None else every_minutes,
                "onRegression": OMIT if on_regression is None else on_regression,
                "override": OMIT if override is None else override,
            },
        )

    async def get(self, name: str, label: str) -> t.Release:
        """Get the last release on a label.

        The release may have ended. `progress` compares its versions since the weights last
        changed.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
        """
        return await self._call("getRelease", {"name": name, "label": label}, {})

    async def change(
        self,
        name: str,
        label: str,
        *,
        state: Literal["running", "paused"] | None = None,
        arms: Sequence[t.ReleaseChangeArmsItem] | None = None,
    ) -> t.ChangedRelease:
        """Widen, pause or resume a release.

        Callers who have an arm never go back to the control, because weights can only become
        larger. If the label requires proposals and the release has fewer approvals than the
        rule requires now, larger weights are refused with 409 `approval_required`.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
            state: `paused`: callers keep their versions, and the service neither widens the
                release nor rolls it back.
            arms: All arms of the release with their new weights, none of which may be smaller
                than before.
        """
        return await self._call(
            "changeRelease",
            {"name": name, "label": label},
            {},
            {"state": OMIT if state is None else state, "arms": OMIT if arms is None else arms},
        )

    async def roll_back(self, name: str, label: str) -> None:
        """Roll back a release.

        All callers get the control again, which is the version at the label.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
        """
        await self._call("rollBackRelease", {"name": name, "label": label}, {})

    async def finish(
        self,
        name: str,
        label: str,
        *,
        version: int,
        override: str | None = None,
    ) -> t.ChangedRelease:
        """Finish a release with one of its versions.

        Ends the release and moves the label to the version. The rules of protected and gated
        labels apply as for any move.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            label: A label: 1 to 50 characters of a-z 0-9 . _ -, starting and ending with a
                letter or digit.
            version: The version of an arm or of the control.
            override: The reason for moving a gated label without passing checks. Requires the
                role `admin`. The reason is shown in the history and the event.
        """
        return await self._call(
            "finishRelease",
            {"name": name, "label": label},
            {},
            {"version": version, "override": OMIT if override is None else override},
        )


class AsyncResults(AsyncResource):
    """`ph.results`."""

    async def report(self, *, calls: Sequence[t.ResultReportCallsItem]) -> t.ReportReceipt:
        """Report model calls.

        Adds model calls to the results of the version with which they were made. Fields that
        are not listed here are refused, so that no inputs or outputs are sent by mistake. A
        call that is reported again within 72 hours with the same `traceId` and `spanId`, or
        with the same `id`, is counted once.

        Requires the role `viewer`.
        """
        return await self._call("reportResults", {}, {}, {"calls": calls})

    async def get(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["hour"] | Literal["day"] | None = None,
        time_zone: str | None = None,
    ) -> t.WorkspaceResults:
        """Get the results of a workspace.

        Adds up the reported calls by prompt, by model and over time.

        Requires the role `viewer`.

        Args:
            from_: ISO 8601. Default: 24 hours before `to`.
            to: ISO 8601. Default: now.
            interval: Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The
                interval affects only the series. For both intervals, `from` is rounded down
                and `to` is rounded up to a full hour in UTC, so the totals are the same.
            time_zone: The time zone in which days begin, such as `Europe/Berlin`. Calls are
                counted by the hour in UTC, and an hour belongs to the day on which it begins
                in that time zone.
        """
        return await self._call(
            "getResults",
            {},
            {
                "from": from_,
                "to": to,
                "interval": interval,
                "timeZone": time_zone,
            },
        )

    async def report_traces(self, *, body: Any) -> t.TraceResponse:
        """Report model calls with OpenTelemetry.

        Accepts traces over OTLP, in protobuf or JSON, with or without gzip. Spans that name a
        prompt in the workspace are counted as calls. All other spans are accepted and dropped.
        Inputs and outputs are not kept. A span that is sent again within 72 hours is counted
        once. docs/results.md lists the attributes.

        Requires the role `viewer`.
        """
        return await self._call("reportTraces", {}, {}, body)

    async def report_logs(self, *, body: Any) -> t.LogsResponse:
        """Report scores with OpenTelemetry.

        Accepts logs over OTLP, in protobuf or JSON, with or without gzip. Events with the name
        `gen_ai.evaluation.result` are counted as scores. All other log records are accepted
        and dropped.

        Requires the role `viewer`.
        """
        return await self._call("reportLogs", {}, {}, body)


class AsyncRuns(AsyncResource):
    """`ph.runs`."""

    async def create(
        self,
        name: str,
        *,
        connection: str,
        variables: Mapping[str, Any] | None = None,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        label: str | Literal["latest"] | None = None,
        version: int | None = None,
        candidate: str | None = None,
        key: str | None = None,
        context: Mapping[str, str | float | bool] | None = None,
    ) -> t.Run:
        """Run a version or a candidate on a model.

        Responds with server-sent events: `delta` `{text}` or `{reasoning}` as the model
        writes, `tool_call` for each tool call, `usage` `{inputTokens, outputTokens, estimated,
        cost}`, then `done` with the run’s summary, or `error` `{code, message, status,
        retryAfterSeconds, run}`. With `Accept: application/json`, there is a single JSON
        response, whose status is 424 if the run failed. If the client disconnects or loses
        access, the request to the model is aborted. A run ends if the server sends nothing for
        2 minutes, and after 10 minutes at the latest. If the service stops, the last event is
        `error` with the code `canceled` and a message that says so. The config’s tools,
        response format and other parameters are sent to the model unchanged. If the label has
        a release, `key` and `context` decide which version runs.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            variables: Values by variable name. The value of a placeholder is an array of
                messages. Their `content` can be a string or an array of parts, such as images.
            connection: The id or the name of a model connection.
            model: Default: the model in the prompt’s config if the connection offers it,
                otherwise the first model of the connection.
            parameters: Parameters of the request to the model. They override the prompt’s
                config. Null removes a parameter.
            candidate: The id of a candidate, instead of a label or a version.
            key: The key by which a release divides callers, such as the id of a user. If the
                label has a release, the key decides which version the response has: the same
                key always gets the same version.
            context: Attributes that the rules of a release use.
        """
        return await self._call(
            "runPrompt",
            {"name": name},
            {},
            {
                "variables": OMIT if variables is None else variables,
                "connection": connection,
                "model": OMIT if model is None else model,
                "parameters": OMIT if parameters is None else parameters,
                "label": OMIT if label is None else label,
                "version": OMIT if version is None else version,
                "candidate": OMIT if candidate is None else candidate,
                "key": OMIT if key is None else key,
                "context": OMIT if context is None else context,
            },
        )

    async def create_draft(
        self,
        *,
        connection: str,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        syntax: Literal["liquid", "mustache"] | None = None,
        declarations: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        name: str | None = None,
        variables: Mapping[str, Any] | None = None,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> t.Run:
        """Run a draft on a model.

        Responds with server-sent events: `delta` `{text}` or `{reasoning}` as the model
        writes, `tool_call` for each tool call, `usage` `{inputTokens, outputTokens, estimated,
        cost}`, then `done` with the run’s summary, or `error` `{code, message, status,
        retryAfterSeconds, run}`. With `Accept: application/json`, there is a single JSON
        response, whose status is 424 if the run failed. If the client disconnects or loses
        access, the request to the model is aborted. A run ends if the server sends nothing for
        2 minutes, and after 10 minutes at the latest. If the service stops, the last event is
        `error` with the code `canceled` and a message that says so.

        Requires the role `editor`.

        Args:
            template: A template, up to 262,144 characters.
            syntax: The language of the templates.
            declarations: Describes variables: type, description, default, example and values.
                If the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            name: The name of the prompt to which the draft belongs. The run is listed among
                the runs of this prompt.
            variables: Values by variable name. The value of a placeholder is an array of
                messages. Their `content` can be a string or an array of parts, such as images.
            connection: The id or the name of a model connection.
            model: Default: the model in the prompt’s config if the connection offers it,
                otherwise the first model of the connection.
            parameters: Parameters of the request to the model. They override the prompt’s
                config. Null removes a parameter.
        """
        return await self._call(
            "runDraft",
            {},
            {},
            {
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "syntax": OMIT if syntax is None else syntax,
                "declarations": OMIT if declarations is None else declarations,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "name": OMIT if name is None else name,
                "variables": OMIT if variables is None else variables,
                "connection": connection,
                "model": OMIT if model is None else model,
                "parameters": OMIT if parameters is None else parameters,
            },
        )

    def list(self, name: str, *, limit: int | None = None) -> AsyncPage[t.RunSummary]:
        """List the runs of a prompt, newest first.

        Runs are kept for 30 days, up to 200 per prompt and 2,000 or 64 MiB per workspace.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listRuns", {"name": name}, {"limit": limit})

    async def get(self, name: str, id: str) -> t.Run:
        """Get a run.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("getRun", {"name": name, "id": id}, {})


class AsyncSessions(AsyncResource):
    """`ph.sessions`."""

    async def sign_up(
        self,
        *,
        email: str,
        password: str,
        name: str | None = None,
        invitation: str | None = None,
    ) -> t.User:
        """Create an account and sign in.

        Args:
            email: Case-insensitive.
            password: 8 to 128 characters of any kind. 15 or more are recommended. Very common
                passwords are rejected.
            name: Default: the part of `email` before the @.
            invitation: The token of an invitation to `email`. The token allows registration
                even if registration is closed. Registering does not accept the invitation.
                Sign in and accept the invitation afterwards.
        """
        return await self._call(
            "signUp",
            {},
            {},
            {
                "email": email,
                "password": password,
                "name": OMIT if name is None else name,
                "invitation": OMIT if invitation is None else invitation,
            },
        )

    async def sign_in(self, *, email: str, password: str, code: str | None = None) -> t.User:
        """Sign in.

        Args:
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        return await self._call(
            "signIn",
            {},
            {},
            {"email": email, "password": password, "code": OMIT if code is None else code},
        )

    async def sign_out(self) -> None:
        """Sign out."""
        await self._call("signOut", {}, {})

    async def get(self) -> t.User:
        """Get the signed-in user."""
        return await self._call("whoAmI", {}, {})

    async def change_password(
        self,
        *,
        new_password: str,
        current_password: str | None = None,
    ) -> t.User:
        """Change the password and end all other sessions.

        Args:
            current_password: Required if the account has a password. Without one, this session
                needs a sign-in or a confirmation within the last 10 minutes.
        """
        return await self._call(
            "changePassword",
            {},
            {},
            {"currentPassword": OMIT if current_password is None else current_password, "newPassword": new_password},
        )

    async def list_sessions(self) -> t.SessionList:
        """List the active sessions."""
        return await self._call("listSessions", {}, {})

    async def end_session(self, id: str) -> None:
        """End a session."""
        await self._call("endSession", {"id": id}, {})

    async def end_other_sessions(self) -> None:
        """End all other sessions."""
        await self._call("endOtherSessions", {}, {})

    async def get_sign_in_options(self) -> t.SignInOptions:
        """Get the ways to sign in."""
        return await self._call("getSignInOptions", {}, {})

    async def link_identity(self, provider: str) -> t.ProviderUrl:
        """Start linking an identity to the account.

        Requires a sign-in or a confirmation in this session within the last 10 minutes. The
        browser signs in at the page in the response.
        """
        return await self._call("linkIdentity", {"provider": provider}, {})

    async def list_identities(self) -> t.IdentityList:
        """List the identities that are linked to the account."""
        return await self._call("listIdentities", {}, {})

    async def unlink_identity(self, *, issuer: str) -> None:
        """Remove an identity from the account.

        Requires a sign-in or a confirmation in this session within the last 10 minutes. Ends
        the other sessions that the provider started. An account keeps at least one way to sign
        in.
        """
        await self._call("unlinkIdentity", {}, {}, {"issuer": issuer})

    async def sign_out_everywhere(self) -> t.SignedOut:
        """Sign out, and get the page that signs out at the provider."""
        return await self._call("signOutEverywhere", {}, {})

    async def end_provider_sessions(self, *, logout_token: str) -> t.LogoutAccepted:
        """End the sessions that a provider’s logout token names.

        For providers. The body is form data (`application/x-www-form-urlencoded`).
        """
        return await self._call(
            "endProviderSessions",
            {},
            {},
            {"logout_token": logout_token},
        )

    async def forgot_password(self, *, email: str) -> t.PasswordResetAccepted:
        """Request a password reset link.

        The response is the same whether or not the account exists.
        """
        return await self._call("forgotPassword", {}, {}, {"email": email})

    async def reset_password(self, *, token: str, new_password: str) -> None:
        """Set a new password with a reset link.

        Ends all sessions. If the email address is already verified, the API key and two-factor
        authentication stay the same. Otherwise this verifies the address and revokes all
        earlier access, like `POST /api/session/verify-email`.

        Args:
            token: The token in the reset link.
            new_password: 8 to 128 characters of any kind. 15 or more are recommended. Very
                common passwords are rejected.
        """
        await self._call(
            "resetPassword",
            {},
            {},
            {"token": token, "newPassword": new_password},
        )

    async def verify_email(self, *, token: str) -> t.User:
        """Verify the account's email address with a link.

        Requires a browser session of the account. The first time, this revokes all earlier
        access: the API key is replaced, two-factor authentication is turned off, passkeys are
        removed, sign-in providers are unlinked, all sessions and links end, the members,
        service accounts and invitations of the account’s own workspace are removed, and its
        webhooks are disabled. The response then sets the cookie of a new session.

        Args:
            token: The token in the verification link.
        """
        return await self._call("verifyEmail", {}, {}, {"token": token})

    async def request_email_change(
        self,
        *,
        email: str,
        password: str | None = None,
        code: str | None = None,
    ) -> t.VerificationAccepted:
        """Send a link to a new email address.

        The address changes when the link is used. The link works once and expires after 24
        hours. The old address is notified. The response is the same whether or not another
        account has the new address. Requires a browser session, the password and, with
        two-factor authentication, a code. Without a mail server, the link is written to the
        log for the operator.

        Args:
            email: The new email address.
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        return await self._call(
            "requestEmailChange",
            {},
            {},
            {"email": email, "password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def cancel_email_change(self) -> None:
        """Cancel the change of the email address."""
        await self._call("cancelEmailChange", {}, {})

    async def confirm_email_change(self, *, token: str) -> t.User:
        """Change the email address with a link.

        Requires a browser session of the account. All other sessions end, and links that were
        sent to the old address become invalid. The API key and two-factor authentication stay
        the same. If no address of the account was verified before, this revokes all earlier
        access, like `POST /api/session/verify-email`. The response sets the cookie of a new
        session. The response is 409 if another account has the address.

        Args:
            token: The token in the link.
        """
        return await self._call("confirmEmailChange", {}, {}, {"token": token})


class AsyncStatistics(AsyncResource):
    """`ph.statistics`."""

    async def get(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["hour"] | Literal["day"] | None = None,
        time_zone: str | None = None,
        member: str | None = None,
        prompt: str | None = None,
        status: int | None = None,
    ) -> t.Statistics:
        """Get usage statistics.

        Counts the calls that are made with API keys. A call appears within about a second.
        Calls from browser sessions are not counted.

        Requires the role `viewer`.

        Args:
            from_: ISO 8601. Default: 24 hours before `to`.
            to: ISO 8601. Default: now.
            interval: Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The
                interval affects only the series. For both intervals, `from` is rounded down
                and `to` is rounded up to a full hour in UTC, so the totals are the same.
            time_zone: The time zone in which days begin, such as `Europe/Berlin`. Calls are
                counted by the hour in UTC, and an hour belongs to the day on which it begins
                in that time zone.
            member: The `userId` of a member. Only this member’s calls and runs are counted.
            prompt: The name of a prompt. Only calls that returned or rendered this prompt are
                counted.
            status: Only calls with this response status are counted.
        """
        return await self._call(
            "getStatistics",
            {},
            {
                "from": from_,
                "to": to,
                "interval": interval,
                "timeZone": time_zone,
                "member": member,
                "prompt": prompt,
                "status": status,
            },
        )

    async def get_runs(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        interval: Literal["hour"] | Literal["day"] | None = None,
        time_zone: str | None = None,
        member: str | None = None,
        model: str | None = None,
    ) -> t.RunStatistics:
        """Get statistics of model runs.

        Counts the requests to models that runs and check runs make, with their tokens, cost
        and duration. Requests made with a key and from browser sessions are counted. They
        appear within about a second.

        Requires the role `viewer`.

        Args:
            from_: ISO 8601. Default: 24 hours before `to`.
            to: ISO 8601. Default: now.
            interval: Use `hour` for ranges of up to 31 days, and `day` for up to 400 days. The
                interval affects only the series. For both intervals, `from` is rounded down
                and `to` is rounded up to a full hour in UTC, so the totals are the same.
            time_zone: The time zone in which days begin, such as `Europe/Berlin`. Calls are
                counted by the hour in UTC, and an hour belongs to the day on which it begins
                in that time zone.
            member: The `userId` of a member. Only this member’s calls and runs are counted.
            model: Only requests to this model are counted.
        """
        return await self._call(
            "getRunStatistics",
            {},
            {
                "from": from_,
                "to": to,
                "interval": interval,
                "timeZone": time_zone,
                "member": member,
                "model": model,
            },
        )


class AsyncTransfer(AsyncResource):
    """`ph.transfer`."""

    async def export_prompts(self) -> str:
        """Export all prompts.

        Returns JSON lines with every prompt outside the bin and its versions, labels, test
        cases and history, as they were at one point in time. The same content always produces
        the same bytes, even after an import elsewhere. If the response ends with an error,
        such as a lost connection, the export is incomplete. docs/moving.md describes the
        lines.

        Requires the role `viewer`.
        """
        return await self._call("exportPrompts", {}, {})

    async def import_prompts(
        self,
        *,
        body: str,
        dry_run: bool | None = None,
        replace: bool | None = None,
    ) -> t.ImportedPrompts:
        """Import an export.

        Imports the lines of an export as they arrive, up to 16 MiB and 10,000 lines per
        request. The first line of each request must be the first line of the export. To import
        a prompt with more lines, or with more than 4 MiB, repeat the line of the prompt and
        continue, in the same or the next request. Version numbers, dates, labels and history
        are restored. Authors keep their names and are marked as imported. Importing the same
        lines again changes nothing. If a line is invalid, the prompts before it may have been
        imported.

        Requires the role `admin`.

        Args:
            dry_run: Reports what an import would do, without importing anything. Quotas are
                not checked.
            replace: If an existing prompt is in conflict, moves it to the bin and imports the
                prompt of the request in its place, in one transaction per prompt.
        """
        return await self._call(
            "importPrompts",
            {},
            {"dryRun": dry_run, "replace": replace},
            body,
        )

    async def read_langfuse(
        self,
        *,
        url: str,
        public_key: str,
        secret_key: str,
        page: int | None = None,
        name: str | None = None,
        version: int | None = None,
    ) -> t.LangfuseResponse:
        """Read prompts from a Langfuse server.

        Returns one page of prompts or one version, so that a browser can import them. The
        service makes the request because Langfuse does not allow requests from other websites.
        The keys are neither stored nor logged. The request takes up to 30 seconds and is
        canceled if the caller disconnects.

        Requires the role `admin`.

        Args:
            url: The address of Langfuse, including its path if it has one.
            secret_key: Used only for this request. Neither stored nor logged.
            page: The page of the prompt list to read. A page has 50 prompts.
            name: With `version`: the name of the prompt whose version is read.
        """
        return await self._call(
            "readLangfuse",
            {},
            {},
            {
                "url": url,
                "publicKey": public_key,
                "secretKey": secret_key,
                "page": OMIT if page is None else page,
                "name": OMIT if name is None else name,
                "version": OMIT if version is None else version,
            },
        )


class AsyncVersions(AsyncResource):
    """`ph.versions`."""

    def list(self, name: str, *, limit: int | None = None) -> AsyncPage[t.Version]:
        """List versions, newest first.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listVersions", {"name": name}, {"limit": limit})

    async def create(
        self,
        name: str,
        *,
        strict: Literal["true", "false"] | None = None,
        syntax: Literal["liquid", "mustache"] | None = None,
        template: str | None = None,
        messages: Sequence[t.Message | t.Placeholder] | None = None,
        variables: Sequence[t.VariableDeclaration] | None = None,
        tools: Sequence[t.Tool] | None = None,
        output: t.Output | None = None,
        config: Any = OMIT,
        message: str | None = None,
        labels: Sequence[str] | None = None,
        base_version: int | None = None,
    ) -> t.SavedVersion:
        """Save a new version.

        Versions are immutable. A label moves only if you list it in `labels` or call `PUT
        …/labels/{label}`.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            strict: With `true`, a request that would cause warnings changes nothing and
                returns 409 `has_warnings` with the `warnings`.
            syntax: The language of the templates.
            template: A template, up to 262,144 characters.
            variables: Describes variables: type, description, default, example and values. If
                the templates use other variables, those are inferred. The `variables` of a
                response can be sent back.
            tools: The tools that the model may call, up to 128. Tools and output may take up
                to 64 KiB as JSON.
            config: Any JSON up to 64 KiB, usually an object with the model and its parameters.
            message: The version message: a note about what changed, which the history shows.
            labels: Labels to move to this version.
            base_version: The version on which the new version is based. If that version is no
                longer the newest, the response is 409.
        """
        return await self._call(
            "createVersion",
            {"name": name},
            {"strict": strict},
            {
                "syntax": OMIT if syntax is None else syntax,
                "template": OMIT if template is None else template,
                "messages": OMIT if messages is None else messages,
                "variables": OMIT if variables is None else variables,
                "tools": OMIT if tools is None else tools,
                "output": OMIT if output is None else output,
                "config": config,
                "message": OMIT if message is None else message,
                "labels": OMIT if labels is None else labels,
                "baseVersion": OMIT if base_version is None else base_version,
            },
        )

    async def get(self, name: str, version: int) -> t.Version:
        """Get a version.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        return await self._call("getVersion", {"name": name, "version": version}, {})

    async def delete(self, name: str, version: int) -> None:
        """Delete a version.

        The content is deleted permanently, the labels of the version are removed, and its
        number is never used again. `latest` then points at the highest remaining version. The
        response is 409 if another prompt includes this version at a label that points at it,
        or if this is the only version. To delete the only version, delete the prompt.

        Requires the role `editor`.

        Args:
            name: The prompt’s name, encoded as one path segment.
        """
        await self._call("deleteVersion", {"name": name, "version": version}, {})

    async def diff(self, name: str, *, from_: int | str, to: int | str) -> t.Diff:
        """Compare two versions, labels or candidates.

        Requires the role `viewer`.

        Args:
            name: The prompt’s name, encoded as one path segment.
            from_: The older side of the comparison. A version number, a label, `latest`, or
                the id of a candidate. Digits always mean a version, and `cand_…` always means
                a candidate.
            to: The newer side of the comparison. A version number, a label, `latest`, or the
                id of a candidate. Digits always mean a version, and `cand_…` always means a
                candidate.
        """
        return await self._call("diffVersions", {"name": name}, {"from": from_, "to": to})


class AsyncViews(AsyncResource):
    """`ph.views`."""

    async def list(self) -> t.ViewList:
        """List your saved views in the workspace.

        Requires the role `viewer`.
        """
        return await self._call("listViews", {}, {})

    async def create(self, *, name: str, filters: t.ViewFilters) -> t.View:
        """Save filters of the list as a view.

        You can have 50 saved views in each workspace. Other members do not see your views.

        Requires the role `viewer`.
        """
        return await self._call("createView", {}, {}, {"name": name, "filters": filters})

    async def change(
        self,
        id: str,
        *,
        name: str | None = None,
        filters: t.ViewFilters | None = None,
    ) -> t.View:
        """Change the name or the filters of a saved view.

        Requires the role `viewer`.
        """
        return await self._call(
            "changeView",
            {"id": id},
            {},
            {"name": OMIT if name is None else name, "filters": OMIT if filters is None else filters},
        )

    async def delete(self, id: str) -> None:
        """Delete a saved view.

        Requires the role `viewer`.
        """
        await self._call("deleteView", {"id": id}, {})


class AsyncWebhooks(AsyncResource):
    """`ph.webhooks`."""

    def list(self, *, limit: int | None = None) -> AsyncPage[t.Webhook]:
        """List the webhooks.

        Requires the role `admin`.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listWebhooks", {}, {"limit": limit})

    async def create(
        self,
        *,
        url: str,
        events: Literal["all"] | Sequence[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]] | None = None,
        description: str | None = None,
        format: Literal["json", "slack"] | None = None,
        enabled: bool | None = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook.

        From then on, events are sent to the URL as Standard Webhooks
        (https://www.standardwebhooks.com). They are signed, delivered at least once, and
        delivered in order for each prompt. The secret is shown only in this response.

        Requires the role `admin`.

        Args:
            url: The URL to which events are sent with POST. An address that is not public must
                be allowed by the setting OUTBOUND_ALLOW.
            events: The types of events to send, or `all` for all events, including future
                ones. Default: `all`.
            format: `json`: the event. `slack`: a message with blocks, for a Slack incoming
                webhook. Default: `json`.
            enabled: Events that happen while the webhook is disabled are not sent later.
        """
        return await self._call(
            "createWebhook",
            {},
            {},
            {
                "url": url,
                "events": OMIT if events is None else events,
                "description": OMIT if description is None else description,
                "format": OMIT if format is None else format,
                "enabled": OMIT if enabled is None else enabled,
            },
        )

    async def get(self, id: str) -> t.Webhook:
        """Get a webhook.

        Requires the role `admin`.
        """
        return await self._call("getWebhook", {"id": id}, {})

    async def change(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Literal["all"] | Sequence[Literal["prompt.created", "prompt.changed", "prompt.deleted", "prompt.restored", "version.created", "version.deleted", "candidate.created", "candidate.changed", "candidate.deleted", "label.moved", "label.removed", "proposal.opened", "proposal.reviewed", "proposal.applied", "proposal.declined", "proposal.withdrawn", "proposal.expired", "comment.added", "comment.changed", "comment.deleted", "release.started", "release.widened", "release.paused", "release.resumed", "release.rolled_back", "release.finished", "dependency.changed", "results.worsened", "rules.changed", "key.reset", "member.added", "member.changed", "member.removed"]] | None = None,
        description: str | None = None,
        format: Literal["json", "slack"] | None = None,
        enabled: bool | None = None,
    ) -> t.Webhook:
        """Change, enable or disable a webhook.

        Disabling a webhook cancels its queued deliveries.

        Requires the role `admin`.

        Args:
            url: The URL to which events are sent with POST. An address that is not public must
                be allowed by the setting OUTBOUND_ALLOW.
            events: The types of events to send, or `all` for all events, including future
                ones.
            format: `json`: the event. `slack`: a message with blocks, for a Slack incoming
                webhook. Default: `json`.
            enabled: Events that happen while the webhook is disabled are not sent later.
        """
        return await self._call(
            "changeWebhook",
            {"id": id},
            {},
            {
                "url": OMIT if url is None else url,
                "events": OMIT if events is None else events,
                "description": OMIT if description is None else description,
                "format": OMIT if format is None else format,
                "enabled": OMIT if enabled is None else enabled,
            },
        )

    async def delete(self, id: str) -> None:
        """Delete a webhook.

        Requires the role `admin`.
        """
        await self._call("deleteWebhook", {"id": id}, {})

    async def rotate_secret(self, id: str) -> t.WebhookWithSecret:
        """Rotate the secret of a webhook.

        The new secret is shown only in this response. For 24 hours, deliveries are also signed
        with the old secret. If you rotate again within that time, the oldest secret stops
        working.

        Requires the role `admin`.
        """
        return await self._call("rotateWebhookSecret", {"id": id}, {})

    async def test(self, id: str) -> t.WebhookDelivery:
        """Send a `test` event and return the result.

        The event is sent only once, without retries, and even to a disabled webhook. The
        request takes up to 15 seconds.

        Requires the role `admin`.
        """
        return await self._call("testWebhook", {"id": id}, {})

    def list_deliveries(self, id: str, *, limit: int | None = None) -> AsyncPage[t.WebhookDelivery]:
        """List the deliveries of a webhook, newest first.

        Deliveries are kept as long as their events, each with its last 10 attempts.

        Requires the role `admin`.

        Args:
            limit: The maximum number of items. A page with more than 1 MB of content ends
                earlier.
        """
        return self._list("listDeliveries", {"id": id}, {"limit": limit})

    async def replay_delivery(self, id: str, delivery_id: str) -> t.WebhookDelivery:
        """Replay a delivery.

        Sends the event again with the same `webhook-id`, and retries it after failures like
        any other delivery. Later events do not wait for the replay. If the delivery is still
        pending, it is attempted now.

        Requires the role `admin`.
        """
        return await self._call("replayDelivery", {"id": id, "deliveryId": delivery_id}, {})


class AsyncWorkspace(AsyncResource):
    """`ph.workspace`."""

    async def get(self) -> t.WorkspaceSettings:
        """Get the workspace settings.

        Requires the role `viewer`.
        """
        return await self._call("getWorkspace", {}, {})

    async def update(
        self,
        *,
        name: str | None = None,
        protected_labels: Sequence[str] | None = None,
        gated_labels: Sequence[str] | None = None,
        label_rules: Mapping[str, t.NewLabelRule] | None = None,
        daily_budget: t.DailyBudget | None = None,
    ) -> t.WorkspaceSettings:
        """Change the workspace settings.

        Requires the role `admin`.

        Args:
            name: The name of the workspace. Only the owner can change the name.
            protected_labels: The labels that only deployers, admins and the owner can move or
                remove. A new workspace has none.
            gated_labels: The labels that move only to versions that have passed all current
                test cases of their prompt. A new workspace has none.
            label_rules: The labels that require proposals, with their rules. A new workspace
                has none.
        """
        return await self._call(
            "updateWorkspace",
            {},
            {},
            {
                "name": OMIT if name is None else name,
                "protectedLabels": OMIT if protected_labels is None else protected_labels,
                "gatedLabels": OMIT if gated_labels is None else gated_labels,
                "labelRules": OMIT if label_rules is None else label_rules,
                "dailyBudget": OMIT if daily_budget is None else daily_budget,
            },
        )


class AsyncWorkspaces(AsyncResource):
    """`ph.workspaces`."""

    async def list(self) -> t.WorkspaceList:
        """List the workspaces that you can act in.

        Your own workspace comes first, followed by the workspaces of which you are a member,
        sorted by name.
        """
        return await self._call("listWorkspaces", {}, {})

    async def create(self, *, name: str) -> t.Workspace:
        """Create a team workspace.

        You own the workspace until you transfer it to another member. It does not depend on
        your account, so the other members can continue to use it after you leave. If the
        service sends email, your address must be verified.

        Args:
            name: The name of the workspace, 1 to 100 characters.
        """
        return await self._call("createWorkspace", {}, {}, {"name": name})

    async def rename(self, id: str, *, name: str) -> t.Workspace:
        """Rename a workspace.

        Only the owner can rename a workspace. Your own workspace has the name of your account,
        so renaming one renames the other.

        Args:
            name: The name of the workspace, 1 to 100 characters.
        """
        return await self._call("renameWorkspace", {"id": id}, {}, {"name": name})

    async def delete(
        self,
        id: str,
        *,
        password: str | None = None,
        code: str | None = None,
    ) -> None:
        """Delete a team workspace and everything in it.

        Its prompts, statistics, webhooks, model connections and invitations are deleted. Its
        members lose access, and the keys of its service accounts stop working immediately.
        This cannot be undone. Requires a browser session, the password and, with two-factor
        authentication enabled, a code.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
        """
        await self._call(
            "deleteWorkspace",
            {"id": id},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code},
        )

    async def transfer(
        self,
        id: str,
        *,
        user_id: str,
        password: str | None = None,
        code: str | None = None,
    ) -> None:
        """Make another member the owner of a team workspace.

        You stay in the workspace as an admin. Requires a browser session, the password and,
        with two-factor authentication enabled, a code.

        Args:
            password: The account's password. Not needed within 10 minutes of a sign-in or
                confirmation in this session.
            code: The 6 digits from the authenticator app, or a recovery code. Each code is
                accepted once.
            user_id: The member who becomes the owner.
        """
        await self._call(
            "transferWorkspace",
            {"id": id},
            {},
            {"password": OMIT if password is None else password, "code": OMIT if code is None else code, "userId": user_id},
        )


RESOURCES: dict[str, type[AsyncResource]] = {
    "account": AsyncAccount,
    "activity": AsyncActivity,
    "auth": AsyncAuth,
    "candidates": AsyncCandidates,
    "cases": AsyncCases,
    "checks": AsyncChecks,
    "command_line_sign_in": AsyncCommandLineSignIn,
    "comments": AsyncComments,
    "description": AsyncDescription,
    "favorites": AsyncFavorites,
    "feedback": AsyncFeedback,
    "health": AsyncHealth,
    "labels": AsyncLabels,
    "langfuse": AsyncLangfuse,
    "members": AsyncMembers,
    "model_context_protocol": AsyncModelContextProtocol,
    "models": AsyncModels,
    "openfeature": AsyncOpenfeature,
    "passkeys": AsyncPasskeys,
    "prompts": AsyncPrompts,
    "proposals": AsyncProposals,
    "releases": AsyncReleases,
    "results": AsyncResults,
    "runs": AsyncRuns,
    "sessions": AsyncSessions,
    "statistics": AsyncStatistics,
    "transfer": AsyncTransfer,
    "versions": AsyncVersions,
    "views": AsyncViews,
    "webhooks": AsyncWebhooks,
    "workspace": AsyncWorkspace,
    "workspaces": AsyncWorkspaces,
}


class AsyncClientResources:
    """The resources of a client."""

    account: AsyncAccount
    activity: AsyncActivity
    auth: AsyncAuth
    candidates: AsyncCandidates
    cases: AsyncCases
    checks: AsyncChecks
    command_line_sign_in: AsyncCommandLineSignIn
    comments: AsyncComments
    description: AsyncDescription
    favorites: AsyncFavorites
    feedback: AsyncFeedback
    health: AsyncHealth
    labels: AsyncLabels
    langfuse: AsyncLangfuse
    members: AsyncMembers
    model_context_protocol: AsyncModelContextProtocol
    models: AsyncModels
    openfeature: AsyncOpenfeature
    passkeys: AsyncPasskeys
    prompts: AsyncPrompts
    proposals: AsyncProposals
    releases: AsyncReleases
    results: AsyncResults
    runs: AsyncRuns
    sessions: AsyncSessions
    statistics: AsyncStatistics
    transfer: AsyncTransfer
    versions: AsyncVersions
    views: AsyncViews
    webhooks: AsyncWebhooks
    workspace: AsyncWorkspace
    workspaces: AsyncWorkspaces
