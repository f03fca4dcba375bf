import type { Sample } from './sample.ts'

export const SITE = 'https://forge.example'
export const repository = { full_name: 'acme/rocket', html_url: `${SITE}/acme/rocket` }
export const sender = { login: 'ann', html_url: `${SITE}/ann` }
export const base = { repository, sender }
export const ANN = `[ann](${SITE}/ann)`

export const pull_request = {
  number: 7,
  title: 'Burn *less*',
  html_url: `${SITE}/acme/rocket/pull/7`,
  body: 'It saves **fuel**.',
  merged: false,
  head: { ref: 'less' },
  base: { ref: 'main' },
}
export const PULL = `[\\#7 Burn \\*less\\*](${SITE}/acme/rocket/pull/7)`
export const issue = { number: 3, title: 'It leaks', html_url: `${SITE}/acme/rocket/issues/3`, body: 'At the seam' }
export const ISSUE = `[\\#3 It leaks](${SITE}/acme/rocket/issues/3)`
export const comment = { html_url: `${SITE}/c/1`, body: 'I see it too' }
export const ZEROS = '0'.repeat(40)

export const push = {
  ...base,
  ref: 'refs/heads/main',
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: `${SITE}/compare`,
  commits: [
    { id: '0123456789abcdef', message: 'Seal it\n\nWith glue.', url: `${SITE}/1` },
    { id: 'fedcba9876543210', message: 'Test it', url: `${SITE}/2` },
  ],
}
export const COMMITS = `\n* Seal it ([0123456789a](${SITE}/1))\n* Test it ([fedcba98765](${SITE}/2))`

export type OfForge = Omit<Sample, 'service' | 'headers'>

/** Requests that all forges send. */
export const COMMON: readonly OfForge[] = [
  {
    what: 'push',
    body: push,
    topic: 'rocket / main',
    content: `${ANN} pushed [2 commits](${SITE}/compare) to \`main\`.${COMMITS}`,
  },
  {
    what: 'push',
    body: { ...push, forced: true, commits: push.commits.slice(0, 1) },
    topic: 'rocket / main',
    content: `${ANN} force-pushed [1 commit](${SITE}/compare) to \`main\`.\n* Seal it ([0123456789a](${SITE}/1))`,
  },
  {
    what: 'push',
    body: { ...push, ref: 'refs/heads/gone', after: ZEROS, deleted: true, commits: [] },
    topic: 'rocket / gone',
    content: `${ANN} deleted the branch \`gone\`.`,
  },
  {
    what: 'push',
    body: { ...push, ref: 'refs/tags/v1', before: ZEROS, created: true, commits: [] },
    topic: 'rocket',
    content: `${ANN} pushed the tag \`v1\`.`,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'opened', pull_request },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} opened pull request ${PULL} (\`less\` into \`main\`).\n\n\`\`\`quote\nIt saves **fuel**.\n\`\`\``,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'closed', pull_request: { ...pull_request, merged: true } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} merged pull request ${PULL}.`,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'review_requested', pull_request, requested_reviewer: { login: 'bob' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} asked bob to review pull request ${PULL}.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'opened', issue },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} opened issue ${ISSUE}.\n\n\`\`\`quote\nAt the seam\n\`\`\``,
  },
  {
    what: 'issues',
    body: { ...base, action: 'labeled', issue, label: { name: 'bug' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} labeled issue ${ISSUE} as \`bug\`.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'assigned', issue, assignee: { login: 'bob' } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} assigned bob to issue ${ISSUE}.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'milestoned', issue: { ...issue, pull_request: {} }, milestone: { title: 'Launch' } },
    topic: 'rocket / PR #3 It leaks',
    content: `${ANN} put pull request ${ISSUE} into the milestone Launch.`,
  },
  {
    what: 'issues',
    body: { ...base, action: 'edited', issue, changes: { title: { from: 'It *drips*' } } },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} edited issue ${ISSUE}, which was called It \\*drips\\*.`,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'edited', pull_request, changes: { body: { from: '' }, title: { from: 'Burn' } } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} edited pull request ${PULL}, which was called Burn.\n\n\`\`\`quote\nIt saves **fuel**.\n\`\`\``,
  },
  {
    what: 'pull_request',
    body: { ...base, action: 'ready_for_review', pull_request },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} marked pull request ${PULL} as ready for review.`,
  },
  {
    what: 'issue_comment',
    body: { ...base, action: 'created', issue, comment },
    topic: 'rocket / issue #3 It leaks',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on issue ${ISSUE}:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'issue_comment',
    body: { ...base, action: 'deleted', issue: { ...issue, pull_request: {} }, comment },
    topic: 'rocket / PR #3 It leaks',
    content: `${ANN} deleted a comment on pull request ${ISSUE}.`,
  },
  {
    what: 'create',
    body: { ...base, ref: 'less', ref_type: 'branch' },
    topic: 'rocket / less',
    content: `${ANN} created the branch \`less\`.`,
  },
  {
    what: 'delete',
    body: { ...base, ref: 'v1', ref_type: 'tag' },
    topic: 'rocket',
    content: `${ANN} deleted the tag \`v1\`.`,
  },
  {
    what: 'release',
    body: {
      ...base,
      action: 'published',
      release: { tag_name: 'v1', name: 'One', html_url: `${SITE}/r`, body: 'New' },
    },
    topic: 'rocket',
    content: `${ANN} published the release [One](${SITE}/r).\n\n\`\`\`quote\nNew\n\`\`\``,
  },
  {
    what: 'fork',
    body: { ...base, forkee: { full_name: 'bob/rocket', html_url: `${SITE}/bob/rocket` } },
    topic: 'rocket',
    content: `${ANN} forked it to [bob\\/rocket](${SITE}/bob/rocket).`,
  },
]

export const requestsOf = (service: string, header: string, samples: readonly OfForge[]): Sample[] =>
  samples.map((sample) => ({ ...sample, service, headers: { [header]: sample.what } }))
