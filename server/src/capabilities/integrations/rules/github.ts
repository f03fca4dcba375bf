import * as z from 'zod/mini'
import { integer, string } from '../../../kernel/schemas.ts'
import * as forge from './forge.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  unsupported,
  type Integration,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { isHmac } from './signatures.ts'
import { code, isGiven, known, link, plain, quote } from './text.ts'

const { text } = forge
const person = z.object({ login: string, html_url: text })
const base = { repository: z.object({ full_name: string, html_url: string }), sender: person }
const pull = z.object({ number: integer, title: string, html_url: string })

const ping = z.object({ zen: text, sender: z.optional(person), repository: z.optional(base.repository) })

const review = z.object({
  ...base,
  action: string,
  pull_request: pull,
  review: z.object({ state: string, html_url: string, body: text }),
})

const reviewComment = z.object({
  ...base,
  action: string,
  pull_request: pull,
  comment: z.object({ html_url: string, body: text, path: text }),
})

const commitComment = z.object({ ...base, comment: z.object({ html_url: string, body: text, commit_id: string }) })

const star = z.object({ ...base, action: string })

const workflowRun = z.object({
  ...base,
  action: string,
  workflow_run: z.object({ name: text, html_url: string, conclusion: text, head_branch: text, run_number: integer }),
})

const deploymentStatus = z.object({
  ...base,
  deployment: z.object({ environment: string }),
  deployment_status: z.object({ state: string, target_url: text, description: text }),
})

const REVIEWS: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'asked for changes in',
  commented: 'reviewed',
  dismissed: 'dismissed a review of',
}

/** By event: a message, or undefined for an action that none is made of. */
const EVENTS: Readonly<Record<string, (request: ServiceRequest) => ServiceMessage | undefined>> = {
  ping: (request) => {
    const payload = payloadOf(request, ping)
    const topic =
      payload.repository === undefined ? 'GitHub' : (payload.repository.full_name.split('/').at(-1) ?? 'GitHub')
    return { topic, content: `GitHub is connected.${quote(payload.zen)}` }
  },
  push: (request) => forge.readPush(payloadOf(request, forge.push)),
  pull_request: (request) => forge.readPull(payloadOf(request, forge.pullRequest)),
  issues: (request) => forge.readIssue(payloadOf(request, forge.issue)),
  issue_comment: (request) => forge.readIssueComment(payloadOf(request, forge.issueComment)),
  create: (request) => forge.readReference(payloadOf(request, forge.reference), 'created'),
  delete: (request) => forge.readReference(payloadOf(request, forge.reference), 'deleted'),
  release: (request) => forge.readRelease(payloadOf(request, forge.release)),
  fork: (request) => forge.readFork(payloadOf(request, forge.fork)),
  pull_request_review: (request) => {
    const payload = payloadOf(request, review)
    const { action, pull_request, review: one } = payload
    const verb = known(REVIEWS, one.state.toLowerCase())
    if (verb === undefined || (action !== 'submitted' && action !== 'dismissed')) return undefined
    const thing = `pull request ${link(`#${pull_request.number} ${pull_request.title}`, one.html_url)}`
    return {
      topic: forge.pullTopic(payload, pull_request),
      content: `${forge.whoOf(payload)} ${verb} ${thing}.${quote(one.body)}`,
    }
  },
  pull_request_review_comment: (request) => {
    const payload = payloadOf(request, reviewComment)
    const { action, pull_request, comment } = payload
    if (action !== 'created') return undefined
    const where = isGiven(comment.path) ? ` at ${code(comment.path)}` : ''
    const said = `wrote ${link('a comment', comment.html_url)} on pull request ${plain(`#${pull_request.number}`)}${where}`
    return {
      topic: forge.pullTopic(payload, pull_request),
      content: `${forge.whoOf(payload)} ${said}:${quote(comment.body)}`,
    }
  },
  commit_comment: (request) => {
    const payload = payloadOf(request, commitComment)
    const { comment } = payload
    const said = `wrote ${link('a comment', comment.html_url)} on the commit ${code(comment.commit_id.slice(0, 11))}`
    return { topic: forge.topicOf(payload), content: `${forge.whoOf(payload)} ${said}:${quote(comment.body)}` }
  },
  star: (request) => {
    const payload = payloadOf(request, star)
    return payload.action === 'created'
      ? { topic: forge.topicOf(payload), content: `${forge.whoOf(payload)} starred it.` }
      : undefined
  },
  workflow_run: (request) => {
    const payload = payloadOf(request, workflowRun)
    const { action, workflow_run: run } = payload
    if (action !== 'completed') return undefined
    const name = link(`${run.name ?? 'A workflow'} #${run.run_number}`, run.html_url)
    const branch = run.head_branch ?? ''
    return {
      topic: forge.topicOf(payload, branch),
      content: `${run.conclusion === 'success' ? '✅' : '❌'} ${name} of ${code(branch)}: ${plain(run.conclusion ?? 'no result')}`,
    }
  },
  deployment_status: (request) => {
    const payload = payloadOf(request, deploymentStatus)
    const { deployment, deployment_status: status } = payload
    const what = link(deployment.environment, status.target_url)
    return {
      topic: forge.topicOf(payload),
      content: `Deployment to ${what}: **${plain(status.state)}**${quote(status.description)}`,
    }
  },
}

export const github: Integration = {
  read(request) {
    const event = eventHeader(request, 'X-GitHub-Event')
    const read = known(EVENTS, event)
    if (read === undefined) throw unsupported(request, event)
    const message = read(request)
    return message && { ...message, event }
  },
  isSigned: (request, secret) =>
    isHmac(headerOf(request, 'X-Hub-Signature-256').replace(/^sha256=/, ''), request.body, secret),
}
