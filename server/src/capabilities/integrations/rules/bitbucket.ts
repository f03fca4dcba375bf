import * as z from 'zod/mini'
import { integer, string } from '../../../kernel/schemas.ts'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'
import {
  eventHeader,
  headerOf,
  payloadOf,
  unsupportedEventError,
  hmacOf,
  type Integration,
  type ServiceMessage,
  type ServiceRequest,
} from './requests.ts'
import { code, isGiven, lookUpWord, link, bulletList, toSingleLine, plainText, quote } from './text.ts'

const links = z.nullish(z.object({ html: z.nullish(z.object({ href: z.nullish(string) })) }))
const ref = z.nullish(z.object({ name: string, type: string }))
const commit = z.object({ message: string, hash: z.nullish(string), links })
const pushedChange = z.object({
  old: ref,
  new: ref,
  links,
  forced: z.nullish(z.boolean()),
  commits: z.nullish(z.array(commit)),
  truncated: z.nullish(z.boolean()),
})
const basePayload = z.object({
  /** Missing if the account was deleted. */
  actor: z.nullish(z.object({ display_name: string })),
  repository: z.object({ name: string }),
})
const pushPayload = z.object({ push: z.object({ changes: z.array(pushedChange) }) })
const pullBranch = z.nullish(z.object({ branch: z.nullish(z.object({ name: string })) }))
const comment = z.nullish(z.object({ content: z.nullish(z.object({ raw: z.nullish(string) })), links }))
const pullPayload = z.object({
  pullrequest: z.object({
    id: integer,
    title: string,
    description: z.nullish(string),
    source: pullBranch,
    destination: pullBranch,
    reason: z.nullish(string),
    links,
  }),
  comment,
})

const commitCommentPayload = z.object({ comment, commit: z.object({ hash: string, links }) })
const forkPayload = z.object({ fork: z.object({ full_name: string, links }) })
const commitStatusPayload = z.object({
  commit_status: z.object({
    name: z.nullish(string),
    key: z.nullish(string),
    state: string,
    description: z.nullish(string),
    url: z.nullish(string),
    refname: z.nullish(string),
  }),
})

const STATUS_SIGNS: Readonly<Record<string, string>> = { SUCCESSFUL: '✅', FAILED: '❌', STOPPED: '🚫' }

const EVENT_VERBS: Readonly<Record<string, string>> = {
  'pullrequest:approved': 'approved',
  'pullrequest:changes_request_created': 'requested changes in',
  'pullrequest:changes_request_removed': 'withdrew the request for changes in',
  'pullrequest:comment_created': 'commented',
  'pullrequest:comment_deleted': 'deleted a comment',
  'pullrequest:comment_updated': 'edited a comment',
  'pullrequest:created': 'opened',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'declined',
  'pullrequest:unapproved': 'withdrew the approval of',
  'pullrequest:updated': 'updated',
  'repo:commit_comment_created': 'commented',
  'repo:commit_status_created': 'built',
  'repo:commit_status_updated': 'built',
  'repo:fork': 'forked it to',
  'repo:push': 'pushed to',
}

export const integration: Integration = {
  emojiNames: 'github',
  read(request) {
    const event = eventHeader(request, 'X-Event-Key')
    const verb = lookUpWord(EVENT_VERBS, event)
    if (verb === undefined) throw unsupportedEventError(request, event)
    const { actor, repository } = payloadOf(request, basePayload)
    const who = plainText(actor?.display_name ?? 'Someone')
    const topic = toSingleLine(repository.name)
    if (event.startsWith('repo:commit_status_')) return readCommitStatus(request, event, topic)
    if (event === 'repo:fork') {
      const { fork } = payloadOf(request, forkPayload)
      return { event, topic, content: `${who} ${verb} ${link(fork.full_name, fork.links?.html?.href)}.` }
    }
    if (event === 'repo:commit_comment_created') {
      const { comment: said, commit: of } = payloadOf(request, commitCommentPayload)
      const what = `${link(verb, said?.links?.html?.href)} on the commit ${code(of.hash.slice(0, 11))}`
      return { event, topic, content: `${who} ${what}${endSentence(quote(said?.content?.raw))}` }
    }
    if (event === 'repo:push') {
      const paragraphs = payloadOf(request, pushPayload).push.changes.map((one) => `${who} ${pushChangeText(one)}`)
      return paragraphs.length === 0 ? undefined : { event, topic, content: paragraphs.join('\n\n') }
    }
    const { pullrequest: pull, comment: said } = payloadOf(request, pullPayload)
    const content = `${who} ${pullChangeText(event, verb, pull, said)}`
    return { event, topic: toSingleLine(`${repository.name} / PR #${pull.id} ${pull.title}`), content }
  },
  isSigned: (request, secret) =>
    isSameSecret(headerOf(request, 'X-Hub-Signature'), `sha256=${hmacOf(request.body, secret)}`),
  sign: (body, secret) => ({ 'x-hub-signature': `sha256=${hmacOf(body, secret)}` }),
  sample: {
    headers: { 'x-event-key': 'pullrequest:created' },
    body: { actor: { display_name: 'Ann' }, repository: { name: 'test' }, pullrequest: { id: 5, title: 'A test' } },
  },
}

type PullPayload = z.output<typeof pullPayload>

function pullChangeText(
  event: string,
  verb: string,
  pull: PullPayload['pullrequest'],
  said: PullPayload['comment'],
): string {
  const thing = link(`#${pull.id} ${pull.title}`, pull.links?.html?.href)
  const [from, into] = [code(pull.source?.branch?.name ?? ''), code(pull.destination?.branch?.name ?? '')]
  const branches = from && into && ` (${from} into ${into})`
  switch (event) {
    case 'pullrequest:created':
      return `${verb} ${thing}${branches}.${quote(pull.description)}`
    case 'pullrequest:fulfilled':
      return `${verb} ${thing}${branches}.`
    case 'pullrequest:rejected':
      return `${verb} ${thing}${endSentence(quote(pull.reason))}`
    case 'pullrequest:comment_created':
    case 'pullrequest:comment_updated':
      return `${link(verb, said?.links?.html?.href)} on ${thing}${endSentence(quote(said?.content?.raw))}`
    case 'pullrequest:comment_deleted':
      return `${verb} on ${thing}.`
    default:
      return `${verb} ${thing}.`
  }
}

/** Returns undefined while the build runs. */
function readCommitStatus(request: ServiceRequest, event: string, topic: string): ServiceMessage | undefined {
  const { commit_status: status } = payloadOf(request, commitStatusPayload)
  const sign = lookUpWord(STATUS_SIGNS, status.state)
  if (sign === undefined) return undefined
  const name = link(status.name || status.key || 'A build', status.url)
  const of = isGiven(status.refname) ? ` of ${code(status.refname)}` : ''
  const more = status.description ? ` (${plainText(status.description)})` : ''
  return { event, topic, content: `${sign} ${name}${of}: ${plainText(status.state.toLowerCase())}${more}` }
}

function endSentence(quoted: string): string {
  return quoted === '' ? '.' : `:${quoted}`
}

/** Lists commits, of which Bitbucket sends only the five newest. */
function pushChangeText({
  old,
  new: current,
  links: changeLinks,
  forced,
  commits,
  truncated,
}: z.output<typeof pushedChange>): string {
  const { type, name } = current ?? old ?? { type: 'branch', name: '' }
  const what = `the ${isGiven(old) ? '' : 'new '}${plainText(type)} ${code(name)}.`
  if (!isGiven(current)) return `deleted ${what}`
  const lines = (commits ?? []).map(({ message, hash, links: its }) => {
    const id = isGiven(hash) ? ` (${link(hash.slice(0, 11), its?.html?.href)})` : ''
    return `${plainText(message.split('\n', 1)[0] ?? '')}${id}`
  })
  const verb = link(forced === true ? 'force-pushed' : 'pushed', changeLinks?.html?.href)
  return `${verb} to ${what}${bulletList([...lines, ...(truncated === true ? ['… and more'] : [])])}`
}
