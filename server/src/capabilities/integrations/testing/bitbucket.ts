import type { Sample } from './sample.ts'

const SITE = 'https://bitbucket.example/acme/rocket'

const html = (path: string): object => ({ html: { href: `${SITE}${path}` } })

const actor = {
  type: 'user',
  display_name: 'Ann Able',
  nickname: 'ann',
  uuid: '{d301aafa-d676-4ee0-88be-962be7417567}',
  links: { html: { href: 'https://bitbucket.example/ann' } },
}
const repository = {
  type: 'repository',
  name: 'rocket',
  full_name: 'acme/rocket',
  is_private: true,
  links: html(''),
  workspace: { type: 'workspace', slug: 'acme', name: 'Acme' },
}
const pullrequest = {
  type: 'pullrequest',
  id: 7,
  title: 'Let it *fly*',
  description: 'Higher',
  state: 'OPEN',
  author: actor,
  source: { branch: { name: 'fly' }, commit: { hash: 'd3022fc0ca3d' }, repository },
  destination: { branch: { name: 'main' }, commit: { hash: 'ce5965ddd289' }, repository },
  links: html('/pull-requests/7'),
}
const commit = (hash: string, message: string): object => ({
  type: 'commit',
  hash,
  message,
  author: { type: 'author', raw: 'Ann Able <ann@office.example>', user: actor },
  links: html(`/commits/${hash}`),
})
const branch = (name: string, type = 'branch'): object => ({
  type,
  name,
  target: commit('709d658d', 'Fly'),
  links: html(''),
})
const change = { created: false, closed: false, forced: false, truncated: false, links: html('/branches/compare/a..b') }
const pushed = (...changes: readonly object[]): object => ({ actor, repository, push: { changes } })

const PULL = `[\\#7 Let it \\*fly\\*](${SITE}/pull-requests/7)`
const COMPARED = `[pushed](${SITE}/branches/compare/a..b)`

const sample = (what: string, body: object, topic: string, content: string): Sample => ({
  service: 'bitbucket',
  what,
  headers: { 'x-event-key': what.split(' ')[0] ?? '', 'x-request-uuid': 'e6dd3a9b', 'x-hook-uuid': '{4b3c}' },
  body,
  topic,
  content,
})

const ofPull = (event: string, verb: string): Sample =>
  sample(event, { actor, repository, pullrequest }, 'rocket / PR #7 Let it *fly*', `Ann Able ${verb} ${PULL}.`)

export const BITBUCKET: readonly Sample[] = [
  sample(
    'repo:push',
    pushed({
      ...change,
      old: branch('main'),
      new: branch('main'),
      commits: [commit('709d658d', 'Fly\n\nHigher'), commit('1e65c05c', 'Land in #**sea**')],
    }),
    'rocket',
    `Ann Able ${COMPARED} to the branch \`main\`.\n* Fly\n* Land in \\#\\*\\*sea\\*\\*`,
  ),
  sample(
    'repo:push of new ones, and without others',
    pushed(
      { ...change, created: true, old: null, new: branch('v1', 'tag'), commits: [], links: {} },
      { ...change, closed: true, old: branch('old'), new: null, commits: null },
    ),
    'rocket',
    'Ann Able pushed to the new tag `v1`.\n\nAnn Able deleted the branch `old`.',
  ),
  ofPull('pullrequest:approved', 'approved'),
  ofPull('pullrequest:changes_request_created', 'asked for changes in'),
  ofPull('pullrequest:created', 'opened'),
  ofPull('pullrequest:fulfilled', 'merged'),
  ofPull('pullrequest:rejected', 'declined'),
  sample(
    'pullrequest:comment_created',
    {
      actor,
      repository,
      pullrequest,
      comment: {
        id: 17,
        content: { raw: 'How *high*?', html: '<p>How <em>high</em>?</p>', markup: 'markdown' },
        links: html(''),
      },
    },
    'rocket / PR #7 Let it *fly*',
    `Ann Able commented on ${PULL}.\n\n\`\`\`quote\nHow *high*?\n\`\`\``,
  ),
]
