import * as z from 'zod/mini'
import { boolean, integer, string } from '../../../kernel/schemas.ts'
import { payloadOf, type Readers, type ServiceMessage } from './requests.ts'
import { code, counted, isGiven, known, link, list, oneLine, plain, quote } from './text.ts'

/* What GitHub and the services that follow it tell of repositories. */

export const text = z.optional(z.nullable(string))

export const person = z.object({ login: string, html_url: text })
const repository = z.object({ full_name: string, html_url: string })

const SITE = 'https://forge.example'

/** A push, to try an address with. */
export const SAMPLE_PUSH: z.input<typeof push> = {
  repository: { full_name: 'acme/rocket', html_url: `${SITE}/acme/rocket` },
  sender: { login: 'ann', html_url: `${SITE}/ann` },
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: `${SITE}/acme/rocket/compare`,
  compare_url: `${SITE}/acme/rocket/compare`,
  commits: [{ id: 'b'.repeat(40), message: 'This is a test: nothing was pushed', url: `${SITE}/acme/rocket/commit/b` }],
}

/** Every event tells who did it, and where. */
export const base = { repository, sender: person }

const commit = z.object({ id: string, message: string, url: string })

const push = z.object({
  ...base,
  ref: string,
  before: text,
  after: text,
  created: z.optional(boolean),
  deleted: z.optional(boolean),
  forced: z.optional(boolean),
  compare: text,
  compare_url: text,
  commits: z.array(commit),
})

export const numbered = { number: integer, title: string, html_url: string, body: text }

/** Gitea says in the thing itself, and there alone, to whom it was assigned and into which milestone it was put. */
const held = {
  assignee: z.optional(z.nullable(person)),
  milestone: z.optional(z.nullable(z.object({ title: string }))),
}

const labelled = { ...held, label: z.optional(z.nullable(z.object({ name: string }))) }

const pullRequest = z.object({
  ...base,
  action: string,
  pull_request: z.object({
    ...numbered,
    ...held,
    draft: z.optional(z.nullable(boolean)),
    merged: z.optional(z.nullable(boolean)),
    head: z.object({ ref: string }),
    base: z.object({ ref: string }),
  }),
  requested_reviewer: z.optional(z.nullable(z.object({ login: string, html_url: text }))),
  ...labelled,
})

const issue = z.object({
  ...base,
  action: string,
  issue: z.object({ ...numbered, ...held, state_reason: text }),
  ...labelled,
})

const comment = z.object({ html_url: string, body: text })

const issueComment = z.object({
  ...base,
  action: string,
  issue: z.object({ ...numbered, pull_request: z.optional(z.nullable(z.unknown())) }),
  comment,
  is_pull: z.optional(boolean),
})

const release = z.object({
  ...base,
  action: string,
  release: z.object({ tag_name: string, name: text, html_url: text, body: text, prerelease: z.optional(boolean) }),
})

const reference = z.object({ ...base, ref: string, ref_type: string })

const fork = z.object({ ...base, forkee: z.object({ full_name: string, html_url: string }) })

type Based = z.output<z.ZodMiniObject<typeof base>>

export function whoOf({ sender }: Based): string {
  return link(sender.login, sender.html_url)
}

/** The topic of a repository, or of one thing in it. */
export function topicOf({ repository: { full_name } }: Based, thing = ''): string {
  const name = full_name.split('/').at(-1) ?? full_name
  return thing === '' ? name : `${name} / ${oneLine(thing)}`
}

type Numbered = { readonly number: number; readonly title: string; readonly html_url: string }

export function pullTopic(payload: Based, { number, title }: Numbered): string {
  return topicOf(payload, `PR #${number} ${title}`)
}

export function issueTopic(payload: Based, { number, title }: Numbered): string {
  return topicOf(payload, `issue #${number} ${title}`)
}

/** The first line of each commit. */
export function commitList(commits: readonly z.output<typeof commit>[]): string {
  return list(
    commits.map(({ id, message, url }) => `${plain(message.split('\n', 1)[0] ?? '')} (${link(id.slice(0, 11), url)})`),
  )
}

const NOTHING = /^0+$/

function readPush(payload: z.output<typeof push>): ServiceMessage {
  const { ref, commits, forced, created, deleted, before, after } = payload
  const isTag = ref.startsWith('refs/tags/')
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const kind = isTag ? 'tag' : 'branch'
  const compare = payload.compare ?? payload.compare_url
  const topic = isTag ? topicOf(payload) : topicOf(payload, name)
  if (deleted === true || NOTHING.test(after ?? ''))
    return { event: 'push', topic, content: `${whoOf(payload)} deleted the ${kind} ${code(name)}.` }
  const isNew = created === true || NOTHING.test(before ?? '')
  if (isTag || (isNew && commits.length === 0)) {
    return { event: 'push', topic, content: `${whoOf(payload)} pushed the ${kind} ${code(name)}.` }
  }
  const verb = forced === true ? 'force-pushed' : 'pushed'
  const what = link(counted(commits.length, 'commit'), compare)
  return {
    event: 'push',
    topic,
    content: `${whoOf(payload)} ${verb} ${what} to ${isNew ? 'the new branch ' : ''}${code(name)}.${commitList(commits)}`,
  }
}

/** What happened to a pull request or an issue, for the events that are worth a message. */
const ACTIONS: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  closed: 'closed',
  edited: 'edited',
  ready_for_review: 'marked as ready for review',
  converted_to_draft: 'made a draft of',
  synchronize: 'pushed to',
  synchronized: 'pushed to',
  deleted: 'deleted',
  locked: 'locked',
  unlocked: 'unlocked',
  pinned: 'pinned',
  unpinned: 'unpinned',
  transferred: 'transferred',
  label_updated: 'changed the labels of',
  label_cleared: 'took all labels from',
  demilestoned: 'took the milestone from',
  auto_merge_enabled: 'enabled merging by itself for',
  auto_merge_disabled: 'disabled merging by itself for',
}

type Held = Pick<Acted, 'assignee' | 'milestone'>

type Acted = {
  readonly action: string
  readonly assignee?: { readonly login: string } | null | undefined
  readonly label?: { readonly name: string } | null | undefined
  readonly milestone?: { readonly title: string } | null | undefined
}

/** @returns undefined for an action that no message is made of */
function changeIn({ action, label, ...given }: Acted, of: Held, thing: string): string | undefined {
  const [assignee, milestone] = [given.assignee ?? of.assignee, given.milestone ?? of.milestone]
  if (action === 'assigned' || action === 'unassigned') {
    const whom = plain(assignee?.login ?? 'somebody')
    return action === 'assigned' ? `assigned ${whom} to ${thing}` : `unassigned ${whom} from ${thing}`
  }
  if ((action === 'labeled' || action === 'unlabeled') && isGiven(label)) {
    return action === 'labeled'
      ? `labeled ${thing} as ${code(label.name)}`
      : `took the label ${code(label.name)} from ${thing}`
  }
  if (action === 'milestoned')
    return isGiven(milestone)
      ? `put ${thing} into the milestone ${plain(milestone.title)}`
      : `put ${thing} into a milestone`
  const verb = known(ACTIONS, action)
  return verb === undefined ? undefined : `${verb} ${thing}`
}

/** @returns undefined for an action that no message is made of */
function readPull(payload: z.output<typeof pullRequest>): ServiceMessage | undefined {
  const { action, pull_request: pull, requested_reviewer: reviewer } = payload
  const isNew = action === 'opened' || action === 'reopened'
  const kind = isNew && pull.draft === true ? 'draft pull request' : 'pull request'
  const thing = `${kind} ${link(`#${pull.number} ${pull.title}`, pull.html_url)}`
  const whom = plain(reviewer?.login ?? 'a team')
  const change =
    action === 'closed' && pull.merged === true
      ? `merged ${thing}`
      : action === 'review_requested'
        ? `asked ${whom} to review ${thing}`
        : action === 'review_request_removed'
          ? `asks ${whom} no longer to review ${thing}`
          : changeIn(payload, pull, thing)
  if (change === undefined) return undefined
  const branches = isNew ? ` (${code(pull.head.ref)} into ${code(pull.base.ref)})` : ''
  const body = action === 'opened' || action === 'edited' ? quote(pull.body) : ''
  return { topic: pullTopic(payload, pull), content: `${whoOf(payload)} ${change}${branches}.${body}` }
}

/** @returns undefined for an action that no message is made of */
function readIssue(payload: z.output<typeof issue>): ServiceMessage | undefined {
  const { action, issue: one } = payload
  const change = changeIn(payload, one, `issue ${link(`#${one.number} ${one.title}`, one.html_url)}`)
  if (change === undefined) return undefined
  const body = action === 'opened' || action === 'edited' ? quote(one.body) : ''
  const why = action === 'closed' && one.state_reason === 'not_planned' ? ' as not planned' : ''
  return { topic: issueTopic(payload, one), content: `${whoOf(payload)} ${change}${why}.${body}` }
}

function readIssueComment(payload: z.output<typeof issueComment>): ServiceMessage {
  const { action, issue: one, comment: said, is_pull } = payload
  const isPull = is_pull === true || isGiven(one.pull_request)
  const thing = `${isPull ? 'pull request' : 'issue'} ${link(`#${one.number} ${one.title}`, one.html_url)}`
  const topic = isPull ? pullTopic(payload, one) : issueTopic(payload, one)
  const where = link('a comment', said.html_url)
  if (action === 'deleted') return { topic, content: `${whoOf(payload)} deleted a comment on ${thing}.` }
  const verb = action === 'edited' ? `edited ${where} on` : `wrote ${where} on`
  return { topic, content: `${whoOf(payload)} ${verb} ${thing}:${quote(said.body)}` }
}

/** @returns undefined for an action that no message is made of */
function readRelease(payload: z.output<typeof release>): ServiceMessage | undefined {
  const { action, release: one } = payload
  if (action !== 'published' && action !== 'updated' && action !== 'deleted') return undefined
  const kind = one.prerelease === true ? 'pre-release' : 'release'
  const name = isGiven(one.name) && one.name !== '' ? one.name : one.tag_name
  const body = action === 'deleted' ? '' : quote(one.body)
  return {
    topic: topicOf(payload),
    content: `${whoOf(payload)} ${action} the ${kind} ${link(name, one.html_url)}.${body}`,
  }
}

function readReference(payload: z.output<typeof reference>, verb: 'created' | 'deleted'): ServiceMessage {
  const { ref, ref_type } = payload
  const topic = ref_type === 'branch' ? topicOf(payload, ref) : topicOf(payload)
  return { topic, content: `${whoOf(payload)} ${verb} the ${plain(ref_type)} ${code(ref)}.` }
}

function readFork(payload: z.output<typeof fork>): ServiceMessage {
  const { forkee } = payload
  return {
    topic: topicOf(payload),
    content: `${whoOf(payload)} forked it to ${link(forkee.full_name, forkee.html_url)}.`,
  }
}

/** What both tell alike, by event. */
export const FORGE_READERS: Readers = {
  push: (request) => readPush(payloadOf(request, push)),
  pull_request: (request) => readPull(payloadOf(request, pullRequest)),
  issues: (request) => readIssue(payloadOf(request, issue)),
  issue_comment: (request) => readIssueComment(payloadOf(request, issueComment)),
  create: (request) => readReference(payloadOf(request, reference), 'created'),
  delete: (request) => readReference(payloadOf(request, reference), 'deleted'),
  release: (request) => readRelease(payloadOf(request, release)),
  fork: (request) => readFork(payloadOf(request, fork)),
}

const REPOSITORY_VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  deleted: 'deleted',
  archived: 'archived',
  unarchived: 'brought back',
  renamed: 'renamed',
  transferred: 'transferred',
  publicized: 'made public',
  privatized: 'made private',
}

/** What happened to a whole repository. @returns undefined for an action that no message is made of */
export function readRepository(payload: Based & { readonly action: string }): ServiceMessage | undefined {
  const verb = known(REPOSITORY_VERBS, payload.action)
  if (verb === undefined) return undefined
  const { full_name, html_url } = payload.repository
  return { topic: topicOf(payload), content: `${whoOf(payload)} ${verb} the repository ${link(full_name, html_url)}.` }
}
