import * as z from 'zod/mini'
import { integer, string } from '../../../kernel/schemas.ts'
import * as forge from './forge.ts'
import { readRepository, repositoryMessage } from './forge-projects.ts'
import { SECURITY_READERS } from './github-security.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  readEvent,
  hmacOf,
  isValidHmac,
  type Integration,
  type Readers,
} from './requests.ts'
import { code, isGiven, lookUpWord, link, bulletList, plainText, quote } from './text.ts'

const { basePayload, person, optionalText } = forge
const pull = z.object({ number: integer, title: string, html_url: string })

const ping = z.object({ zen: optionalText, sender: z.optional(person), repository: z.optional(basePayload.repository) })

const review = z.object({
  ...basePayload,
  action: string,
  pull_request: pull,
  review: z.object({ state: string, html_url: string, body: optionalText }),
})

const reviewComment = z.object({
  ...basePayload,
  action: string,
  pull_request: pull,
  comment: z.object({ html_url: string, body: optionalText, path: optionalText }),
})

const reviewThread = z.object({
  ...basePayload,
  action: string,
  pull_request: pull,
  thread: z.object({ comments: z.array(z.object({ html_url: optionalText })) }),
})

const commitComment = z.object({
  ...basePayload,
  comment: z.object({ html_url: string, body: optionalText, commit_id: string }),
})

const star = z.object({ ...basePayload, action: string })

const workflowRun = z.object({
  ...basePayload,
  action: string,
  workflow: z.optional(z.nullable(z.object({ name: optionalText }))),
  workflow_run: z.object({
    name: optionalText,
    html_url: string,
    conclusion: optionalText,
    head_branch: optionalText,
    run_number: integer,
    head_commit: z.optional(z.nullable(z.object({ id: string, message: string }))),
  }),
})

const deploymentStatus = z.object({
  ...basePayload,
  deployment: z.object({ environment: string, ref: optionalText }),
  deployment_status: z.object({ state: string, target_url: optionalText, description: optionalText }),
})

/** Commit status, the legacy form of a check run. */
const commitStatus = z.object({
  ...basePayload,
  sha: string,
  state: string,
  context: string,
  target_url: optionalText,
  description: optionalText,
})
const checkRun = z.object({
  ...basePayload,
  action: string,
  check_run: z.object({
    name: string,
    html_url: optionalText,
    conclusion: optionalText,
    head_sha: string,
    output: z.optional(z.nullable(z.object({ title: optionalText }))),
  }),
})

const discussionItem = z.object({ number: integer, title: string, html_url: string, body: optionalText })
const discussion = z.object({
  ...basePayload,
  action: string,
  discussion: discussionItem,
  changes: z.optional(
    z.nullable(z.object({ new_discussion: forge.itemReference, new_repository: forge.namedRepository })),
  ),
})
const discussionComment = z.object({
  ...basePayload,
  action: string,
  discussion: discussionItem,
  comment: z.object({ html_url: string, body: optionalText }),
})

const wikiPages = z.object({
  ...basePayload,
  pages: z.array(z.object({ title: string, action: string, html_url: string })),
})

const member = z.object({ ...basePayload, action: string, member: person })
const milestone = z.object({
  ...basePayload,
  action: string,
  milestone: z.object({ title: string, html_url: optionalText }),
})

/** Results to post. Skipped and running checks are ignored. */
const RESULT_SIGNS: Readonly<Record<string, string>> = {
  success: '✅',
  failure: '❌',
  error: '❌',
  timed_out: '❌',
  action_required: '⚠️',
  cancelled: '🚫',
}

const DISCUSSION_VERBS: Readonly<Record<string, string>> = {
  created: 'started the discussion',
  answered: 'marked an answer in the discussion',
  closed: 'closed the discussion',
  reopened: 'reopened the discussion',
  deleted: 'deleted the discussion',
  transferred: 'transferred the discussion',
}

const MEMBER_VERBS: Readonly<Record<string, string>> = { added: 'added', removed: 'removed' }
const MILESTONE_VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  closed: 'closed',
  opened: 'reopened',
  deleted: 'deleted',
}

const REVIEW_VERBS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes in',
  commented: 'reviewed',
  dismissed: 'dismissed a review of',
}

const THREAD_VERBS: Readonly<Record<string, string>> = { resolved: 'resolved', unresolved: 'reopened' }

const READERS: Readers = {
  ...forge.FORGE_READERS,
  ping: (request) => {
    const payload = payloadOf(request, ping)
    const topic =
      payload.repository === undefined ? 'GitHub' : (payload.repository.full_name.split('/').at(-1) ?? 'GitHub')
    return { topic, content: `GitHub is connected.${quote(payload.zen)}` }
  },
  pull_request_review: (request) => {
    const payload = payloadOf(request, review)
    const { action, pull_request, review: one } = payload
    const verb = lookUpWord(REVIEW_VERBS, one.state.toLowerCase())
    if (verb === undefined || (action !== 'submitted' && action !== 'dismissed')) return undefined
    const body = quote(one.body)
    // Skips a review without text: each of the review's comments is a separate event.
    if (one.state.toLowerCase() === 'commented' && body === '') return undefined
    const thing = `pull request ${link(`#${pull_request.number} ${pull_request.title}`, one.html_url)}`
    return {
      topic: forge.pullTopic(payload, pull_request),
      content: `${forge.actorText(payload)} ${verb} ${thing}.${body}`,
    }
  },
  pull_request_review_comment: (request) => {
    const payload = payloadOf(request, reviewComment)
    const { action, pull_request, comment } = payload
    if (action !== 'created') return undefined
    const where = isGiven(comment.path) ? ` at ${code(comment.path)}` : ''
    const said = `wrote ${link('a comment', comment.html_url)} on pull request ${plainText(`#${pull_request.number}`)}${where}`
    return {
      topic: forge.pullTopic(payload, pull_request),
      content: `${forge.actorText(payload)} ${said}:${quote(comment.body)}`,
    }
  },
  commit_comment: (request) => {
    const payload = payloadOf(request, commitComment)
    const { comment } = payload
    const said = `wrote ${link('a comment', comment.html_url)} on the commit ${code(comment.commit_id.slice(0, 11))}`
    return {
      topic: forge.repositoryTopic(payload),
      content: `${forge.actorText(payload)} ${said}:${quote(comment.body)}`,
    }
  },
  star: (request) => {
    const payload = payloadOf(request, star)
    return payload.action === 'created'
      ? { topic: forge.repositoryTopic(payload), content: `${forge.actorText(payload)} starred it.` }
      : undefined
  },
  workflow_run: (request) => {
    const payload = payloadOf(request, workflowRun)
    const { action, workflow, workflow_run: run, repository } = payload
    if (action !== 'completed') return undefined
    const name = link(`${run.name || workflow?.name || 'A workflow'} #${run.run_number}`, run.html_url)
    const branch = run.head_branch ?? ''
    const address = `${repository.html_url}/commit/${encodeURIComponent(run.head_commit?.id.toWellFormed() ?? '')}`
    const cause = forge.commitSuffix(run.head_commit?.message, address)
    const result = `${plainText(run.conclusion ?? 'no result')} (${forge.actorText(payload)})`
    return {
      topic: forge.repositoryTopic(payload, branch),
      content: `${lookUpWord(RESULT_SIGNS, run.conclusion) ?? 'ℹ️'} ${name} of ${code(branch)}${cause}: ${result}`,
    }
  },
  deployment_status: (request) => {
    const payload = payloadOf(request, deploymentStatus)
    const { deployment, deployment_status: status } = payload
    const what = link(deployment.environment, status.target_url)
    const of = isGiven(deployment.ref) ? ` of ${code(deployment.ref)}` : ''
    return {
      topic: forge.repositoryTopic(payload),
      content: `Deployment${of} to ${what}: **${plainText(status.state)}**${quote(status.description)}`,
    }
  },
  status: (request) => {
    const payload = payloadOf(request, commitStatus)
    return checkResultMessage(
      payload,
      payload.state,
      link(payload.context, payload.target_url),
      payload.sha,
      payload.description,
    )
  },
  check_run: (request) => {
    const payload = payloadOf(request, checkRun)
    const { name, html_url, conclusion, head_sha, output } = payload.check_run
    if (payload.action !== 'completed' || !isGiven(conclusion)) return undefined
    return checkResultMessage(payload, conclusion, link(name, html_url), head_sha, output?.title)
  },
  discussion: (request) => {
    const payload = payloadOf(request, discussion)
    const { action, discussion: one } = payload
    const verb = lookUpWord(DISCUSSION_VERBS, action)
    if (verb === undefined) return undefined
    const body = action === 'created' ? quote(one.body) : ''
    const { new_discussion, new_repository } = payload.changes ?? {}
    const destination =
      action === 'transferred' ? forge.linkToOtherRepository(new_discussion, new_repository, 'to') : ''
    return {
      topic: discussionTopic(payload, one),
      content: `${forge.actorText(payload)} ${verb} ${link(`#${one.number} ${one.title}`, one.html_url)}${destination}.${body}`,
    }
  },
  discussion_comment: (request) => {
    const payload = payloadOf(request, discussionComment)
    const { action, discussion: one, comment } = payload
    if (action !== 'created') return undefined
    const thing = link(`#${one.number} ${one.title}`, one.html_url)
    return {
      topic: discussionTopic(payload, one),
      content: `${forge.actorText(payload)} wrote ${link('a comment', comment.html_url)} on the discussion ${thing}:${quote(comment.body)}`,
    }
  },
  gollum: (request) => {
    const payload = payloadOf(request, wikiPages)
    if (payload.pages.length === 0) return undefined
    const pages = payload.pages.map(({ title, action, html_url }) => `${plainText(action)} ${link(title, html_url)}`)
    return {
      topic: forge.repositoryTopic(payload, 'wiki'),
      content: `${forge.actorText(payload)} changed the wiki:${bulletList(pages)}`,
    }
  },
  repository: readRepository,
  public: (request) => {
    // The `public` event has no action.
    const payload = payloadOf(request, z.object(basePayload))
    return repositoryMessage({ ...payload, action: 'publicized' })
  },
  member: (request) => {
    const payload = payloadOf(request, member)
    const verb = lookUpWord(MEMBER_VERBS, payload.action)
    if (verb === undefined) return undefined
    const whom = link(payload.member.login, payload.member.html_url)
    return {
      topic: forge.repositoryTopic(payload),
      content: `${forge.actorText(payload)} ${verb} the collaborator ${whom}.`,
    }
  },
  milestone: (request) => {
    const payload = payloadOf(request, milestone)
    const verb = lookUpWord(MILESTONE_VERBS, payload.action)
    if (verb === undefined) return undefined
    const { title, html_url } = payload.milestone
    const what = link(title, payload.action === 'deleted' ? undefined : html_url)
    return {
      topic: forge.repositoryTopic(payload),
      content: `${forge.actorText(payload)} ${verb} the milestone ${what}.`,
    }
  },
  pull_request_review_thread: (request) => {
    const payload = payloadOf(request, reviewThread)
    const verb = lookUpWord(THREAD_VERBS, payload.action)
    if (verb === undefined) return undefined
    const { pull_request: of, thread } = payload
    const what = link('a conversation', thread.comments[0]?.html_url)
    return {
      topic: forge.pullTopic(payload, of),
      content: `${forge.actorText(payload)} ${verb} ${what} on pull request ${link(`#${of.number} ${of.title}`, of.html_url)}.`,
    }
  },
  ...SECURITY_READERS,
}

type BasePayload = Parameters<typeof forge.repositoryTopic>[0]

/** Returns undefined while the check runs. */
function checkResultMessage(
  payload: BasePayload,
  result: string,
  what: string,
  sha: string,
  description: string | null | undefined,
): ReturnType<Readers[string]> {
  const sign = lookUpWord(RESULT_SIGNS, result)
  if (sign === undefined) return undefined
  const more = isGiven(description) && description !== '' ? ` (${plainText(description)})` : ''
  return {
    topic: forge.repositoryTopic(payload),
    content: `${sign} ${what} of the commit ${code(sha.slice(0, 11))}: ${plainText(result)}${more}`,
  }
}

function discussionTopic(
  payload: BasePayload,
  { number, title }: { readonly number: number; readonly title: string },
): string {
  return forge.repositoryTopic(payload, `discussion #${number} ${title}`)
}

export const integration: Integration = {
  emojiNames: 'github',
  read: (request) => readEvent(READERS, eventHeader(request, 'X-GitHub-Event'), request),
  isSigned: (request, secret) =>
    isValidHmac(headerOf(request, 'X-Hub-Signature-256').replace(/^sha256=/, ''), request.body, secret),
  sign: (body, secret) => ({ 'x-hub-signature-256': `sha256=${hmacOf(body, secret)}` }),
  sample: { headers: { 'x-github-event': 'push' }, body: forge.SAMPLE_PUSH },
}
