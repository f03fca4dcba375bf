import { hmac, type Sample, type Signer } from './sample.ts'

const SITE = 'https://bitbucket.example/acme/rocket'

const htmlLink = (path: string): object => ({ html: { href: `${SITE}${path}` } })

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
  links: htmlLink(''),
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
  links: htmlLink('/pull-requests/7'),
}
const commit = (hash: string, message: string): object => ({
  type: 'commit',
  hash,
  message,
  author: { type: 'author', raw: 'Ann Able <ann@office.example>', user: actor },
  links: htmlLink(`/commits/${hash}`),
})
const branch = (name: string, type = 'branch'): object => ({
  type,
  name,
  target: commit('709d658d', 'Fly'),
  links: htmlLink(''),
})
const change = {
  created: false,
  closed: false,
  forced: false,
  truncated: false,
  links: htmlLink('/branches/compare/a..b'),
}
const pushPayload = (...changes: readonly object[]): object => ({ actor, repository, push: { changes } })

const PULL = `[\\#7 Let it \\*fly\\*](${SITE}/pull-requests/7)`
const SHA = '25f93d22b719e2d678a7ad5ee0ef0d1fcdf39c12'

const COMMENT = { id: 1, content: { raw: 'How *high*?' }, links: htmlLink('/c/1') }
const status = { key: 'UNIT', name: 'Unit tests', refname: 'main', url: `${SITE}/builds/3`, type: 'build' }

const quoteBlock = (text: string): string => `\n\n\`\`\`quote\n${text}\n\`\`\``
const PUSHED_LINK = `[pushed](${SITE}/branches/compare/a..b)`

const sample = (what: string, body: object, topic: string, content: string): Sample => ({
  service: 'bitbucket',
  what,
  headers: { 'x-event-key': what.split(' ')[0] ?? '', 'x-request-uuid': 'e6dd3a9b', 'x-hook-uuid': '{4b3c}' },
  body,
  topic,
  content,
})

const pullSample = (event: string, said: string, more: object = {}): Sample =>
  sample(
    event,
    { actor, repository, pullrequest: { ...pullrequest, ...more } },
    'rocket / PR #7 Let it *fly*',
    `Ann Able ${said}`,
  )

export const SAMPLES: readonly Sample[] = [
  sample(
    'repo:push',
    pushPayload({
      ...change,
      old: branch('main'),
      new: branch('main'),
      commits: [commit('709d658d', 'Fly\n\nHigher'), commit('1e65c05c', 'Land in #**sea**')],
    }),
    'rocket',
    `Ann Able ${PUSHED_LINK} to the branch \`main\`.\n* Fly ([709d658d](${SITE}/commits/709d658d))\n` +
      `* Land in \\#\\*\\*sea\\*\\* ([1e65c05c](${SITE}/commits/1e65c05c))`,
  ),
  sample(
    'repo:push that creates a tag and deletes a branch',
    pushPayload(
      { ...change, created: true, old: null, new: branch('v1', 'tag'), commits: [], links: {} },
      { ...change, closed: true, old: branch('old'), new: null, commits: null },
    ),
    'rocket',
    'Ann Able pushed to the new tag `v1`.\n\nAnn Able deleted the branch `old`.',
  ),
  sample(
    'repo:push',
    pushPayload({
      ...change,
      forced: true,
      truncated: true,
      old: branch('main'),
      new: branch('main'),
      commits: [{ hash: SHA, message: 'Fly\n' }],
    }),
    'rocket',
    `Ann Able [force\\-pushed](${SITE}/branches/compare/a..b) to the branch \`main\`.\n* Fly (25f93d22b71)\n* … and more`,
  ),
  pullSample('pullrequest:approved', `approved ${PULL}.`),
  pullSample('pullrequest:changes_request_created', `requested changes in ${PULL}.`),
  pullSample('pullrequest:created', `opened ${PULL} (\`fly\` into \`main\`).${quoteBlock('How *high*?')}`, {
    description: 'How *high*?',
  }),
  pullSample('pullrequest:created', `opened ${PULL}.`, {
    description: null,
    source: { branch: null, commit: null, repository: null },
  }),
  pullSample('pullrequest:fulfilled', `merged ${PULL} (\`fly\` into \`main\`).`),
  pullSample('pullrequest:rejected', `declined ${PULL}:${quoteBlock('Too *high*')}`, { reason: 'Too *high*' }),
  pullSample('pullrequest:rejected', `declined ${PULL}.`),
  sample(
    'pullrequest:comment_created',
    {
      actor,
      repository,
      pullrequest,
      comment: {
        id: 17,
        content: { raw: 'How *high*?', html: '<p>How <em>high</em>?</p>', markup: 'markdown' },
        links: htmlLink('/pull-requests/7#comment-17'),
      },
    },
    'rocket / PR #7 Let it *fly*',
    `Ann Able [commented](${SITE}/pull-requests/7#comment-17) on ${PULL}:${quoteBlock('How *high*?')}`,
  ),
  pullSample('pullrequest:changes_request_removed', `withdrew the request for changes in ${PULL}.`),
  pullSample('pullrequest:unapproved', `withdrew the approval of ${PULL}.`),
  pullSample('pullrequest:updated', `updated ${PULL}.`),
  sample(
    'pullrequest:comment_updated',
    { actor: null, repository, pullrequest, comment: COMMENT },
    'rocket / PR #7 Let it *fly*',
    `Someone [edited a comment](${SITE}/c/1) on ${PULL}:${quoteBlock('How *high*?')}`,
  ),
  sample(
    'pullrequest:comment_deleted',
    { actor, repository, pullrequest, comment: COMMENT },
    'rocket / PR #7 Let it *fly*',
    `Ann Able deleted a comment on ${PULL}.`,
  ),
  sample(
    'repo:commit_comment_created',
    { actor, repository, comment: COMMENT, commit: { type: 'commit', hash: SHA, links: htmlLink(`/commits/${SHA}`) } },
    'rocket',
    `Ann Able [commented](${SITE}/c/1) on the commit \`25f93d22b71\`:${quoteBlock('How *high*?')}`,
  ),
  sample(
    'repo:commit_status_created',
    { actor, repository, commit_status: { ...status, state: 'FAILED', description: '2 of *9* tests' } },
    'rocket',
    `❌ [Unit tests](${SITE}/builds/3) of \`main\`: failed (2 of \\*9\\* tests)`,
  ),
  sample(
    'repo:commit_status_updated',
    { actor, repository, commit_status: { ...status, name: '', state: 'SUCCESSFUL', url: null, refname: null } },
    'rocket',
    '✅ UNIT: successful',
  ),
  sample(
    'repo:fork',
    { actor, repository, fork: { type: 'repository', full_name: 'bob/rocket', links: htmlLink('/../bob') } },
    'rocket',
    'Ann Able forked it to [bob\\/rocket](https://bitbucket.example/acme/bob).',
  ),
]

export const sign: Signer = (body, secret) => ({ 'x-hub-signature': `sha256=${hmac(body, secret)}` })
