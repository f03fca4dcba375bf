import * as z from 'zod/mini'
import { formatCount } from '../../../kernel/phrases.ts'
import { boolean, integer, string } from '../../../kernel/schemas.ts'
import { payloadOf, type Readers, type ServiceMessage } from './requests.ts'
import {
  code,
  firstLine,
  isGiven,
  lookUpWord,
  link,
  bulletList,
  toSingleLine,
  insertIntoPhrase,
  plainText,
  quote,
} from './text.ts'

export const optionalText = z.optional(z.nullable(string))

export const person = z.object({ login: string, html_url: optionalText })
const repository = z.object({ full_name: string, html_url: string })

const SAMPLE_SITE_URL = 'https://forge.example'

export const SAMPLE_PUSH: z.input<typeof push> = {
  repository: { full_name: 'acme/rocket', html_url: `${SAMPLE_SITE_URL}/acme/rocket` },
  sender: { login: 'ann', html_url: `${SAMPLE_SITE_URL}/ann` },
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: `${SAMPLE_SITE_URL}/acme/rocket/compare`,
  compare_url: `${SAMPLE_SITE_URL}/acme/rocket/compare`,
  commits: [
    {
      id: 'b'.repeat(40),
      message: 'This is a test: nothing was pushed',
      url: `${SAMPLE_SITE_URL}/acme/rocket/commit/b`,
    },
  ],
}

export const basePayload = { repository, sender: person }

const commit = z.object({ id: string, message: string, url: string })

const push = z.object({
  ...basePayload,
  ref: string,
  before: optionalText,
  after: optionalText,
  created: z.optional(boolean),
  deleted: z.optional(boolean),
  forced: z.optional(boolean),
  compare: optionalText,
  compare_url: optionalText,
  commits: z.array(commit),
  /** Can exceed the length of `commits`, because Gitea omits commits if there are many. */
  total_commits: z.optional(z.nullable(integer)),
})

/** Before Gitea 1.11, issues have no URL. */
export const numberedItem = { number: integer, title: string, html_url: optionalText, body: optionalText }

export const itemReference = z.optional(z.nullable(z.object({ number: integer, html_url: optionalText })))
export const namedRepository = z.optional(z.nullable(z.object({ full_name: string })))

export const formerText = z.optional(z.nullable(z.object({ from: optionalText })))
const editedTexts = { title: formerText, body: formerText }
const changedTexts = z.optional(z.nullable(z.object(editedTexts)))

/** Gitea sends these fields only inside the issue or pull request, not next to it. */
const itemFields = {
  assignee: z.optional(z.nullable(person)),
  milestone: z.optional(z.nullable(z.object({ title: string }))),
}

const labeledItemFields = { ...itemFields, label: z.optional(z.nullable(z.object({ name: string }))) }

const optionalBranch = z.optional(z.nullable(z.object({ ref: string })))

const pullRequest = z.object({
  ...basePayload,
  action: string,
  pull_request: z.object({
    ...numberedItem,
    ...itemFields,
    draft: z.optional(z.nullable(boolean)),
    merged: z.optional(z.nullable(boolean)),
    head: optionalBranch,
    base: optionalBranch,
    /** Gogs sends this field and the next one instead of `head` and `base`. */
    head_branch: optionalText,
    base_branch: optionalText,
  }),
  requested_reviewer: z.optional(z.nullable(z.object({ login: string, html_url: optionalText }))),
  changes: changedTexts,
  ...labeledItemFields,
})

const pullFields = { pull_request: z.optional(z.nullable(z.unknown())) }

const issue = z.object({
  ...basePayload,
  action: string,
  issue: z.object({ ...numberedItem, ...itemFields, ...pullFields, state_reason: optionalText }),
  changes: z.optional(
    z.nullable(
      z.object({
        ...editedTexts,
        /** The issue that this issue was transferred to. */
        new_issue: itemReference,
        new_repository: namedRepository,
        /** The issue that this issue was transferred from. */
        old_issue: itemReference,
        old_repository: namedRepository,
      }),
    ),
  ),
  ...labeledItemFields,
})

const comment = z.object({ html_url: string, body: optionalText })

const issueComment = z.object({
  ...basePayload,
  action: string,
  issue: z.object({ ...numberedItem, ...pullFields }),
  comment,
  is_pull: z.optional(boolean),
})

const release = z.object({
  ...basePayload,
  action: string,
  release: z.object({
    tag_name: string,
    name: optionalText,
    html_url: optionalText,
    body: optionalText,
    prerelease: z.optional(boolean),
  }),
})

const branchOrTag = z.object({ ...basePayload, ref: string, ref_type: string })

const fork = z.object({ ...basePayload, forkee: z.object({ full_name: string, html_url: string }) })

type BasePayload = z.output<z.ZodMiniObject<typeof basePayload>>

export function actorText({ sender }: BasePayload): string {
  return link(sender.login, sender.html_url)
}

export function repositoryTopic({ repository: { full_name } }: Pick<BasePayload, 'repository'>, thing = ''): string {
  const name = full_name.split('/').at(-1) ?? full_name
  return thing === '' ? name : `${name} / ${toSingleLine(thing)}`
}

type NumberedItem = { readonly number: number; readonly title: string }

export function pullTopic(payload: BasePayload, { number, title }: NumberedItem): string {
  return repositoryTopic(payload, `PR #${number} ${title}`)
}

export function issueTopic(payload: BasePayload, { number, title }: NumberedItem): string {
  return repositoryTopic(payload, `issue #${number} ${title}`)
}

function linkToItem({
  number,
  title,
  html_url,
}: NumberedItem & { readonly html_url?: string | null | undefined }): string {
  return link(`#${number} ${title}`, html_url)
}

export function linkToOtherRepository(
  one: z.output<typeof itemReference>,
  where: z.output<typeof namedRepository>,
  preposition: 'from' | 'to',
): string {
  if (!isGiven(one)) return ''
  return ` ${preposition} ${link(`${where?.full_name ?? ''}#${one.number}`, one.html_url)}`
}

export function commitList(commits: readonly z.output<typeof commit>[], total = commits.length): string {
  const items = commits.map(
    ({ id, message, url }) => `${plainText(firstLine(message))} (${link(id.slice(0, 11), url)})`,
  )
  return bulletList(items, undefined, total)
}

export function commitSuffix(message: string | null | undefined, url: string | null | undefined): string {
  const title = firstLine((message ?? '').trim())
  return title === '' ? '' : ` for ${link(title, url)}`
}

const ZERO_HASH_PATTERN = /^0+$/

function readPush(payload: z.output<typeof push>): ServiceMessage {
  const { ref, commits, forced, created, deleted, before, after } = payload
  const isTag = ref.startsWith('refs/tags/')
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const kind = isTag ? 'tag' : 'branch'
  const compare = payload.compare ?? payload.compare_url
  const topic = isTag ? repositoryTopic(payload) : repositoryTopic(payload, name)
  if (deleted === true || ZERO_HASH_PATTERN.test(after ?? ''))
    return { event: 'push', topic, content: `${actorText(payload)} deleted the ${kind} ${code(name)}.` }
  const isNew = created === true || ZERO_HASH_PATTERN.test(before ?? '')
  if (isTag || (isNew && commits.length === 0)) {
    return { event: 'push', topic, content: `${actorText(payload)} pushed the ${kind} ${code(name)}.` }
  }
  const verb = forced === true ? 'force-pushed' : 'pushed'
  const total = payload.total_commits ?? commits.length
  // Omits Gitea's comparison URL for a new branch, because the URL does not work.
  const isNowhere = isNew && isGiven(before) && compare?.includes(before) === true
  const what = link(formatCount(total, 'commit', 'commits'), isNowhere ? undefined : compare)
  return {
    event: 'push',
    topic,
    content: `${actorText(payload)} ${verb} ${what} to ${isNew ? 'the new branch ' : ''}${code(name)}.${commitList(commits, total)}`,
  }
}

const ACTION_VERBS: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  closed: 'closed',
  edited: 'edited',
  ready_for_review: 'marked … as ready for review',
  converted_to_draft: 'converted … to a draft',
  synchronize: 'pushed to',
  synchronized: 'pushed to',
  deleted: 'deleted',
  locked: 'locked',
  unlocked: 'unlocked',
  pinned: 'pinned',
  unpinned: 'unpinned',
  transferred: 'transferred',
  label_updated: 'changed the labels of',
  label_cleared: 'removed all labels from',
  demilestoned: 'removed the milestone from',
  auto_merge_enabled: 'enabled auto-merge for',
  auto_merge_disabled: 'disabled auto-merge for',
}

type Assignment = Pick<ActionPayload, 'assignee' | 'milestone'>

type ActionPayload = {
  readonly action: string
  readonly assignee?: { readonly login: string } | null | undefined
  readonly label?: { readonly name: string } | null | undefined
  readonly milestone?: { readonly title: string } | null | undefined
}

function actionText({ action, label, ...given }: ActionPayload, of: Assignment, thing: string): string | undefined {
  const [assignee, milestone] = [given.assignee ?? of.assignee, given.milestone ?? of.milestone]
  if (action === 'assigned' || action === 'unassigned') {
    const whom = plainText(assignee?.login ?? 'someone')
    return action === 'assigned' ? `assigned ${whom} to ${thing}` : `unassigned ${whom} from ${thing}`
  }
  if ((action === 'labeled' || action === 'unlabeled') && isGiven(label)) {
    return action === 'labeled'
      ? `labeled ${thing} as ${code(label.name)}`
      : `removed the label ${code(label.name)} from ${thing}`
  }
  if (action === 'milestoned')
    return isGiven(milestone)
      ? `added ${thing} to the milestone ${plainText(milestone.title)}`
      : `added ${thing} to a milestone`
  const verb = lookUpWord(ACTION_VERBS, action)
  return verb === undefined ? undefined : insertIntoPhrase(verb, thing)
}

type EditPayload = { readonly action: string; readonly changes?: z.output<typeof changedTexts> }

/** Returns the former title, and the text unless only the title changed. */
function describeEdit(
  { action, changes }: EditPayload,
  body: string | null | undefined,
): { was: string; body: string } {
  if (action !== 'opened' && action !== 'edited') return { was: '', body: '' }
  const title = action === 'edited' ? changes?.title?.from : undefined
  if (!isGiven(title)) return { was: '', body: quote(body) }
  return { was: `, which was called ${plainText(title)}`, body: isGiven(changes?.body) ? quote(body) : '' }
}

function readPull(payload: z.output<typeof pullRequest>): ServiceMessage | undefined {
  const { action, pull_request: pull, requested_reviewer: reviewer } = payload
  const isNew = action === 'opened' || action === 'reopened'
  const kind = isNew && pull.draft === true ? 'draft pull request' : 'pull request'
  const thing = `${kind} ${linkToItem(pull)}`
  const whom = plainText(reviewer?.login ?? 'a team')
  const change =
    action === 'closed' && pull.merged === true
      ? `merged ${thing}`
      : action === 'review_requested'
        ? `asked ${whom} to review ${thing}`
        : action === 'review_request_removed'
          ? `no longer asks ${whom} to review ${thing}`
          : actionText(payload, pull, thing)
  if (change === undefined) return undefined
  const [head, onto] = [pull.head?.ref ?? pull.head_branch, pull.base?.ref ?? pull.base_branch]
  const branches = isNew && isGiven(head) && isGiven(onto) ? ` (${code(head)} into ${code(onto)})` : ''
  const { was, body } = describeEdit(payload, pull.body)
  return { topic: pullTopic(payload, pull), content: `${actorText(payload)} ${change}${branches}${was}.${body}` }
}

function readIssue(payload: z.output<typeof issue>): ServiceMessage | undefined {
  const { action, issue: one, changes } = payload
  const { topic, thing } = issueTopicAndLink(payload, one, isGiven(one.pull_request))
  const change = actionText(payload, one, thing)
  if (change === undefined) return undefined
  const { was, body } = describeEdit(payload, one.body)
  const origin = linkToOtherRepository(changes?.old_issue, changes?.old_repository, 'from')
  const more: Readonly<Record<string, string>> = {
    closed: one.state_reason === 'not_planned' ? ' as not planned' : '',
    opened: origin === '' ? '' : `, transferred${origin}`,
    transferred: linkToOtherRepository(changes?.new_issue, changes?.new_repository, 'to'),
  }
  return { topic, content: `${actorText(payload)} ${change}${lookUpWord(more, action) ?? ''}${was}.${body}` }
}

/** If the issue is a pull request, uses the pull request's topic. */
function issueTopicAndLink(
  payload: BasePayload,
  one: Parameters<typeof linkToItem>[0],
  isOfPull: boolean,
): { readonly topic: string; readonly thing: string } {
  return isOfPull
    ? { topic: pullTopic(payload, one), thing: `pull request ${linkToItem(one)}` }
    : { topic: issueTopic(payload, one), thing: `issue ${linkToItem(one)}` }
}

function readIssueComment(payload: z.output<typeof issueComment>): ServiceMessage {
  const { action, issue: one, comment: said, is_pull } = payload
  const { topic, thing } = issueTopicAndLink(payload, one, is_pull === true || isGiven(one.pull_request))
  const where = link('a comment', said.html_url)
  if (action === 'deleted') return { topic, content: `${actorText(payload)} deleted a comment on ${thing}.` }
  const verb = action === 'edited' ? `edited ${where} on` : `wrote ${where} on`
  return { topic, content: `${actorText(payload)} ${verb} ${thing}:${quote(said.body)}` }
}

function readRelease(payload: z.output<typeof release>): ServiceMessage | undefined {
  const { action, release: one } = payload
  if (action !== 'published' && action !== 'updated' && action !== 'deleted') return undefined
  const kind = one.prerelease === true ? 'pre-release' : 'release'
  const name = isGiven(one.name) && one.name !== '' ? one.name : one.tag_name
  const body = action === 'deleted' ? '' : quote(one.body)
  return {
    topic: repositoryTopic(payload),
    content: `${actorText(payload)} ${action} the ${kind} ${link(name, one.html_url)}.${body}`,
  }
}

function readBranchOrTag(payload: z.output<typeof branchOrTag>, verb: 'created' | 'deleted'): ServiceMessage {
  const { ref, ref_type } = payload
  const topic = ref_type === 'branch' ? repositoryTopic(payload, ref) : repositoryTopic(payload)
  return { topic, content: `${actorText(payload)} ${verb} the ${plainText(ref_type)} ${code(ref)}.` }
}

function readFork(payload: z.output<typeof fork>): ServiceMessage {
  const { forkee } = payload
  return {
    topic: repositoryTopic(payload),
    content: `${actorText(payload)} forked it to ${link(forkee.full_name, forkee.html_url)}.`,
  }
}

export const FORGE_READERS: Readers = {
  push: (request) => readPush(payloadOf(request, push)),
  pull_request: (request) => readPull(payloadOf(request, pullRequest)),
  issues: (request) => readIssue(payloadOf(request, issue)),
  issue_comment: (request) => readIssueComment(payloadOf(request, issueComment)),
  create: (request) => readBranchOrTag(payloadOf(request, branchOrTag), 'created'),
  delete: (request) => readBranchOrTag(payloadOf(request, branchOrTag), 'deleted'),
  release: (request) => readRelease(payloadOf(request, release)),
  fork: (request) => readFork(payloadOf(request, fork)),
}
