import * as z from 'zod/mini'
import { integer, string } from '../../../kernel/schemas.ts'
import { eventHeader, headerOf, payloadOf, unsupported, type Integration } from './requests.ts'
import { hmacOf, isSame } from './signatures.ts'
import { code, isGiven, known, link, list, oneLine, plain, quote } from './text.ts'

const links = z.nullish(z.object({ html: z.nullish(z.object({ href: z.nullish(string) })) }))
const ref = z.nullish(z.object({ name: string, type: string }))
const change = z.object({ old: ref, new: ref, links, commits: z.nullish(z.array(z.object({ message: string }))) })
const base = z.object({ actor: z.object({ display_name: string }), repository: z.object({ name: string }) })
const pushes = z.object({ push: z.object({ changes: z.array(change) }) })
const pulls = z.object({
  pullrequest: z.object({ id: integer, title: string, links }),
  comment: z.nullish(z.object({ content: z.nullish(z.object({ raw: z.nullish(string) })) })),
})

/** What people do, by the event; each change of a push says it itself. */
const VERBS: Readonly<Record<string, string>> = {
  'pullrequest:approved': 'approved',
  'pullrequest:changes_request_created': 'asked for changes in',
  'pullrequest:comment_created': 'commented on',
  'pullrequest:created': 'opened',
  'pullrequest:fulfilled': 'merged',
  'pullrequest:rejected': 'declined',
  'repo:push': 'pushed to',
}

/** What the webhooks of a repository at Bitbucket Cloud send. */
export const bitbucket: Integration = {
  read(request) {
    const event = eventHeader(request, 'X-Event-Key')
    const verb = known(VERBS, event)
    if (verb === undefined) throw unsupported(request, event)
    const { actor, repository } = payloadOf(request, base)
    const who = plain(actor.display_name)
    if (event === 'repo:push') {
      const told = payloadOf(request, pushes).push.changes.map((one) => `${who} ${changeIn(one)}`)
      return told.length === 0 ? undefined : { event, topic: oneLine(repository.name), content: told.join('\n\n') }
    }
    const { pullrequest: pull, comment } = payloadOf(request, pulls)
    const content = `${who} ${verb} ${link(`#${pull.id} ${pull.title}`, pull.links?.html?.href)}.${quote(comment?.content?.raw)}`
    return { event, topic: oneLine(`${repository.name} / PR #${pull.id} ${pull.title}`), content }
  },
  isSigned: (request, secret) => isSame(headerOf(request, 'X-Hub-Signature'), `sha256=${hmacOf(request.body, secret)}`),
  sign: (body, secret) => ({ 'x-hub-signature': `sha256=${hmacOf(body, secret)}` }),
  sample: {
    headers: { 'x-event-key': 'pullrequest:created' },
    body: { actor: { display_name: 'Ann' }, repository: { name: 'test' }, pullrequest: { id: 5, title: 'A test' } },
  },
}

/** What became of a branch or a tag. Of the commits Bitbucket sends the five newest. */
function changeIn({ old, new: now, links: of, commits }: z.output<typeof change>): string {
  const { type, name } = now ?? old ?? { type: 'branch', name: '' }
  const what = `the ${isGiven(old) ? '' : 'new '}${plain(type)} ${code(name)}.`
  if (!isGiven(now)) return `deleted ${what}`
  const lines = (commits ?? []).map(({ message }) => plain(message.split('\n', 1)[0] ?? ''))
  return `${link('pushed', of?.html?.href)} to ${what}${list(lines)}`
}
