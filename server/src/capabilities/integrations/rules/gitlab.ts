import * as z from 'zod/mini'
import { formatCount } from '../../../kernel/phrases.ts'
import { boolean, integer, string } from '../../../kernel/schemas.ts'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'
import { commitList, commitSuffix } from './forge.ts'
import { MEMBER_READERS } from './gitlab-members.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  readEvent,
  type Integration,
  type Readers,
  type ServiceMessage,
} from './requests.ts'
import {
  code,
  isGiven,
  lookUpWord,
  link,
  bulletList,
  toSingleLine,
  insertIntoPhrase,
  plainText,
  quote,
} from './text.ts'

const optionalText = z.optional(z.nullable(string))
const project = z.object({ name: string, web_url: string })
const user = z.object({ name: string })
const baseFields = { project, user }

const push = z.object({
  project,
  user_name: string,
  ref: string,
  before: string,
  after: string,
  commits: z.array(z.object({ id: string, message: string, url: string })),
  total_commits_count: z.optional(integer),
})

const SAMPLE_SITE_URL = 'https://gitlab.example'

const SAMPLE_PUSH: z.input<typeof push> & { readonly object_kind: string } = {
  object_kind: 'push',
  project: { name: 'rocket', web_url: `${SAMPLE_SITE_URL}/acme/rocket` },
  user_name: 'Ann',
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  commits: [
    {
      id: 'b'.repeat(40),
      message: 'This is a test: nothing was pushed',
      url: `${SAMPLE_SITE_URL}/acme/rocket/-/commit/b`,
    },
  ],
  total_commits_count: 1,
}

const itemFields = { iid: integer, title: string, url: optionalText, description: optionalText, action: optionalText }
const changes = z.optional(
  z.nullable(z.looseObject({ draft: z.optional(z.nullable(z.object({ current: z.optional(z.nullable(boolean)) }))) })),
)
/** Epics belong to a group and have no project. */
const issue = z.object({
  project: z.optional(z.nullable(project)),
  user,
  object_attributes: z.object({ ...itemFields, type: optionalText }),
  changes,
})
const mergeRequest = z.object({
  ...baseFields,
  /** `oldrev` is present if commits were pushed. */
  object_attributes: z.object({ ...itemFields, source_branch: string, target_branch: string, oldrev: optionalText }),
  changes,
})

const commentedItem = z.optional(z.nullable(z.object({ iid: integer, title: string })))
const note = z.object({
  ...baseFields,
  object_attributes: z.object({ note: string, noteable_type: string, url: string, action: optionalText }),
  issue: commentedItem,
  merge_request: commentedItem,
  commit: z.optional(z.nullable(z.object({ id: string }))),
  snippet: z.optional(z.nullable(z.object({ title: string }))),
})

const pipeline = z.object({
  ...baseFields,
  object_attributes: z.object({
    id: integer,
    ref: string,
    status: string,
    duration: z.optional(z.nullable(z.number())),
    url: optionalText,
  }),
  builds: z.optional(z.nullable(z.array(z.object({ name: string, status: string })))),
  commit: z.optional(z.nullable(z.object({ message: optionalText, url: optionalText }))),
})

const job = z.object({
  repository: z.object({ name: string, homepage: optionalText }),
  user,
  ref: string,
  build_id: z.optional(integer),
  build_name: string,
  build_status: string,
  build_failure_reason: optionalText,
})

const release = z.object({
  project,
  action: string,
  name: string,
  tag: string,
  url: optionalText,
  description: optionalText,
})
const wikiPage = z.object({
  ...baseFields,
  object_attributes: z.object({ title: string, url: optionalText, action: string, message: optionalText }),
})
const deployment = z.object({
  project,
  user,
  status: string,
  environment: string,
  deployable_url: optionalText,
  short_sha: optionalText,
})
const milestone = z.object({ project, action: optionalText, object_attributes: z.object({ title: string }) })
const vulnerability = z.object({
  object_attributes: z.object({ title: string, url: optionalText, state: optionalText, severity: optionalText }),
})

const ZERO_HASH_PATTERN = /^0+$/
const ACTION_VERBS: Readonly<Record<string, string>> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
}

const CHANGE_VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'edited', delete: 'deleted' }

const CHANGED_FIELDS: Readonly<Record<string, string>> = {
  title: 'the title',
  description: 'the description',
  labels: 'the labels',
  assignees: 'the assignees',
  reviewers: 'the reviewers',
  target_branch: 'the target branch',
  milestone_id: 'the milestone',
  due_date: 'the due date',
  confidential: 'the confidentiality',
}

const LIST_FORMAT = new Intl.ListFormat('en')

function actionVerb(
  { action, oldrev }: { readonly action?: string | null | undefined; readonly oldrev?: string | null | undefined },
  changed: z.output<typeof changes>,
): string | undefined {
  if (action !== 'update') return lookUpWord(ACTION_VERBS, action)
  if (isGiven(oldrev)) return 'pushed to'
  if (!isGiven(changed)) return 'updated'
  const isDraft = changed.draft?.current
  // GitLab marks drafts in the title, so the title changes as well.
  const names = Object.keys(changed).filter((name) => name !== 'title' || !isGiven(isDraft))
  const what = names.flatMap((name) => lookUpWord(CHANGED_FIELDS, name) ?? [])
  const readiness = isDraft === true ? 'as a draft' : 'as ready'
  if (what.length === 0) return isGiven(isDraft) ? `marked … ${readiness}` : undefined
  return `changed ${LIST_FORMAT.format(what)} of …${isGiven(isDraft) ? ` and marked it ${readiness}` : ''}`
}

/** Types of work items that GitLab sends as issues. */
const ISSUE_KINDS: Readonly<Record<string, string>> = {
  Epic: 'epic',
  Incident: 'incident',
  Task: 'task',
}

const RESULT_SIGNS: Readonly<Record<string, string>> = { success: '✅', failed: '❌', canceled: '🚫' }

const READERS: Readers = {
  ...MEMBER_READERS,
  push: (request) => readPush(payloadOf(request, push), 'branch'),
  tag_push: (request) => readPush(payloadOf(request, push), 'tag'),
  issue: (request) => {
    const payload = payloadOf(request, issue)
    const { object_attributes: one } = payload
    const verb = actionVerb(one, payload.changes)
    if (verb === undefined) return undefined
    const body = one.action === 'open' ? quote(one.description) : ''
    const thing = link(`#${one.iid} ${one.title}`, one.url)
    const kind = lookUpWord(ISSUE_KINDS, one.type) ?? 'issue'
    const inProject = { project: payload.project ?? projectOrGroupIn(one.url) }
    return {
      topic: projectTopic(inProject, `${kind} #${one.iid} ${one.title}`),
      content: `${plainText(payload.user.name)} ${insertIntoPhrase(verb, `${kind} ${thing}`)}.${body}`,
    }
  },
  merge_request: (request) => {
    const payload = payloadOf(request, mergeRequest)
    const { object_attributes: one } = payload
    const verb = actionVerb(one, payload.changes)
    if (verb === undefined) return undefined
    const isNew = one.action === 'open'
    const branches = isNew ? ` (${code(one.source_branch)} into ${code(one.target_branch)})` : ''
    const change = insertIntoPhrase(verb, `merge request ${link(`!${one.iid} ${one.title}`, one.url)}`)
    return {
      topic: projectTopic(payload, `MR !${one.iid} ${one.title}`),
      content: `${plainText(payload.user.name)} ${change}${branches}.${isNew ? quote(one.description) : ''}`,
    }
  },
  note: (request) => readNote(payloadOf(request, note)),
  pipeline: (request) => {
    const payload = payloadOf(request, pipeline)
    const { id, ref, status, duration, url } = payload.object_attributes
    const sign = lookUpWord(RESULT_SIGNS, status)
    if (sign === undefined) return undefined
    const name = link(`Pipeline #${id}`, url ?? `${payload.project.web_url}/-/pipelines/${id}`)
    const cause = commitSuffix(payload.commit?.message, payload.commit?.url)
    const took = isGiven(duration) ? ` after ${Math.round(duration)} s` : ''
    const failed = (payload.builds ?? []).filter((one) => one.status === 'failed').map((one) => code(one.name))
    const jobs = status === 'failed' ? bulletList(failed, 10) : ''
    const result = `${plainText(status)}${took} (${plainText(payload.user.name)})`
    return { topic: projectTopic(payload, ref), content: `${sign} ${name} of ${code(ref)}${cause}: ${result}${jobs}` }
  },
  job: (request) => {
    const {
      repository,
      user: who,
      ref,
      build_id,
      build_name,
      build_status,
      build_failure_reason,
    } = payloadOf(request, job)
    const sign = lookUpWord(RESULT_SIGNS, build_status)
    if (sign === undefined) return undefined
    const name = repository.name.split('/').at(-1)?.trim() ?? repository.name
    const address =
      isGiven(repository.homepage) && build_id !== undefined ? `${repository.homepage}/-/jobs/${build_id}` : undefined
    const why = build_status === 'failed' && isGiven(build_failure_reason) ? `, ${plainText(build_failure_reason)}` : ''
    return {
      topic: `${toSingleLine(name)} / ${toSingleLine(ref)}`,
      content: `${sign} Job ${link(build_name, address)} of ${code(ref)}: ${plainText(build_status)}${why} (${plainText(who.name)})`,
    }
  },
  release: (request) => {
    const payload = payloadOf(request, release)
    const { action, name, tag, url, description } = payload
    const verb = lookUpWord(CHANGE_VERBS, action)
    if (verb === undefined) return undefined
    const isGone = action === 'delete'
    const what = `${link(name, isGone ? undefined : url)}${tag === name ? '' : ` (${code(tag)})`}`
    return {
      topic: projectTopic(payload),
      content: `The release ${what} was ${verb}.${isGone ? '' : quote(description)}`,
    }
  },
  wiki_page: (request) => {
    const payload = payloadOf(request, wikiPage)
    const { title, url, action, message } = payload.object_attributes
    const verb = lookUpWord(CHANGE_VERBS, action)
    if (verb === undefined) return undefined
    const page = link(title, action === 'delete' ? undefined : url)
    return {
      topic: projectTopic(payload, 'wiki'),
      content: `${plainText(payload.user.name)} ${verb} the wiki page ${page}.${quote(message)}`,
    }
  },
  milestone: (request) => {
    const payload = payloadOf(request, milestone)
    const verb = lookUpWord({ create: 'created', close: 'closed', reopen: 'reopened' }, payload.action)
    if (verb === undefined) return undefined
    return {
      topic: projectTopic(payload),
      content: `The milestone ${plainText(payload.object_attributes.title)} was ${verb}.`,
    }
  },
  vulnerability: (request) => {
    const { title, url, state, severity } = payloadOf(request, vulnerability).object_attributes
    const facts = [severity, state].flatMap((fact) => (isGiven(fact) ? [code(fact)] : []))
    const topic = projectTopic({ project: projectOrGroupIn(url) }, 'vulnerabilities')
    return { topic, content: `⚠️ Vulnerability: ${link(title, url)} ${facts.join(' ')}`.trim() }
  },
  deployment: (request) => {
    const payload = payloadOf(request, deployment)
    const what = link(payload.environment, payload.deployable_url)
    const of = isGiven(payload.short_sha) ? ` of ${code(payload.short_sha)}` : ''
    return {
      topic: projectTopic(payload),
      content: `Deployment${of} to ${what}: **${plainText(payload.status)}** (${plainText(payload.user.name)})`,
    }
  },
}

export const integration: Integration = {
  emojiNames: 'github',
  read(request) {
    const header = eventHeader(request, 'X-Gitlab-Event')
    // The header is, for example, `Merge Request Hook` or `Confidential Issue Hook`.
    const event = header
      .replace(/ Hook$/, '')
      .toLowerCase()
      .replaceAll(' ', '_')
      .replace(/^confidential_/, '')
    return readEvent(READERS, event, request)
  },
  isSigned: (request, secret) => isSameSecret(headerOf(request, 'X-Gitlab-Token'), secret),
  sign: (_body, secret) => ({ 'x-gitlab-token': secret }),
  sample: { headers: { 'x-gitlab-event': 'Push Hook' }, body: SAMPLE_PUSH },
}

function projectTopic(
  payload: { readonly project?: { readonly name: string } | null | undefined },
  thing = '',
): string {
  const name = toSingleLine(payload.project?.name ?? 'GitLab')
  return thing === '' ? name : `${name} / ${toSingleLine(thing)}`
}

/** Returns the name in a URL such as `https://gitlab.com/groups/NAME/-/work_items/3`. */
function projectOrGroupIn(url: string | null | undefined): { readonly name: string } | undefined {
  if (!isGiven(url) || !URL.canParse(url)) return undefined
  const [path = '', rest] = new URL(url).pathname.split('/-/', 2)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return rest === undefined || name === '' ? undefined : { name }
}

function readPush(payload: z.output<typeof push>, kind: 'branch' | 'tag'): ServiceMessage {
  const {
    user_name,
    ref,
    before,
    after,
    commits,
    project: { web_url },
  } = payload
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '')
  const topic = kind === 'tag' ? projectTopic(payload) : projectTopic(payload, name)
  const who = plainText(user_name)
  if (ZERO_HASH_PATTERN.test(after)) return { topic, content: `${who} deleted the ${kind} ${code(name)}.` }
  const isNew = ZERO_HASH_PATTERN.test(before)
  if (kind === 'tag' || commits.length === 0) return { topic, content: `${who} pushed the ${kind} ${code(name)}.` }
  const total = payload.total_commits_count ?? commits.length
  const count = formatCount(total, 'commit', 'commits')
  const what = isNew ? plainText(count) : link(count, `${web_url}/-/compare/${before}...${after}`)
  const branch = `${isNew ? 'the new branch ' : ''}${code(name)}`
  return { topic, content: `${who} pushed ${what} to ${branch}.${commitList(commits, total)}` }
}

function readNote(payload: z.output<typeof note>): ServiceMessage {
  const { issue: one, merge_request: merge, commit, snippet, object_attributes: said } = payload
  const [topic, thing] = isGiven(one)
    ? [projectTopic(payload, `issue #${one.iid} ${one.title}`), `issue ${plainText(`#${one.iid} ${one.title}`)}`]
    : isGiven(merge)
      ? [
          projectTopic(payload, `MR !${merge.iid} ${merge.title}`),
          `merge request ${plainText(`!${merge.iid} ${merge.title}`)}`,
        ]
      : isGiven(commit)
        ? [projectTopic(payload), `the commit ${code(commit.id.slice(0, 11))}`]
        : [
            projectTopic(payload),
            isGiven(snippet) ? `the snippet ${plainText(snippet.title)}` : plainText(said.noteable_type),
          ]
  const verb = said.action === 'update' ? 'edited' : 'wrote'
  return {
    topic,
    content: `${plainText(payload.user.name)} ${verb} ${link('a comment', said.url)} on ${thing}:${quote(said.note)}`,
  }
}
