import type { Sample } from './sample.ts'

const SITE = 'https://forge.example'
const repository = { full_name: 'acme/rocket', html_url: `${SITE}/acme/rocket` }
const sender = { login: 'ann', html_url: `${SITE}/ann` }
const base = { repository, sender }
const ANN = `[ann](${SITE}/ann)`

const pull_request = {
  number: 7,
  title: 'Burn *less*',
  html_url: `${SITE}/acme/rocket/pull/7`,
  body: 'It saves **fuel**.',
  merged: false,
  head: { ref: 'less' },
  base: { ref: 'main' },
}
const PULL = `[\\#7 Burn \\*less\\*](${SITE}/acme/rocket/pull/7)`
const issue = { number: 3, title: 'It leaks', html_url: `${SITE}/acme/rocket/issues/3`, body: 'At the seam' }
const ISSUE = `[\\#3 It leaks](${SITE}/acme/rocket/issues/3)`
const comment = { html_url: `${SITE}/c/1`, body: 'I see it too' }
const ZEROS = '0'.repeat(40)

const push = {
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
const COMMITS = `\n* Seal it ([0123456789a](${SITE}/1))\n* Test it ([fedcba98765](${SITE}/2))`

/** What GitHub and Gitea send alike. */
const COMMON: readonly Omit<Sample, 'service' | 'headers'>[] = [
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

const ONLY_GITHUB: readonly Omit<Sample, 'service' | 'headers'>[] = [
  {
    what: 'ping',
    body: { zen: 'Keep it short.', ...base },
    topic: 'rocket',
    content: 'GitHub is connected.\n\n```quote\nKeep it short.\n```',
  },
  {
    what: 'pull_request_review',
    body: {
      ...base,
      action: 'submitted',
      pull_request,
      review: { state: 'approved', html_url: `${SITE}/rv`, body: null },
    },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} approved pull request [\\#7 Burn \\*less\\*](${SITE}/rv).`,
  },
  {
    what: 'pull_request_review_comment',
    body: { ...base, action: 'created', pull_request, comment: { ...comment, path: 'tank.c' } },
    topic: 'rocket / PR #7 Burn *less*',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on pull request \\#7 at \`tank.c\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  {
    what: 'commit_comment',
    body: { ...base, comment: { ...comment, commit_id: '0123456789abcdef' } },
    topic: 'rocket',
    content: `${ANN} wrote [a comment](${SITE}/c/1) on the commit \`0123456789a\`:\n\n\`\`\`quote\nI see it too\n\`\`\``,
  },
  { what: 'star', body: { ...base, action: 'created' }, topic: 'rocket', content: `${ANN} starred it.` },
  {
    what: 'workflow_run',
    body: {
      ...base,
      action: 'completed',
      workflow_run: { name: 'CI', html_url: `${SITE}/w`, conclusion: 'failure', head_branch: 'main', run_number: 9 },
    },
    topic: 'rocket / main',
    content: `❌ [CI \\#9](${SITE}/w) of \`main\`: failure`,
  },
  {
    what: 'deployment_status',
    body: {
      ...base,
      deployment: { environment: 'production' },
      deployment_status: { state: 'success', target_url: `${SITE}/d`, description: '' },
    },
    topic: 'rocket',
    content: `Deployment to [production](${SITE}/d): **success**`,
  },
]

const project = { name: 'rocket', web_url: `${SITE}/rocket` }
const user = { name: 'Ann A.' }
const merge = {
  iid: 7,
  title: 'Burn less',
  url: `${SITE}/mr/7`,
  description: 'It saves',
  source_branch: 'less',
  target_branch: 'main',
}
const leak = { iid: 3, title: 'It leaks', url: `${SITE}/i/3`, description: 'At the seam' }
const said = { note: 'I see', noteable_type: 'Issue', url: `${SITE}/n` }

const GITLAB: readonly Omit<Sample, 'service' | 'headers'>[] = [
  {
    what: 'Push Hook',
    body: {
      project,
      user_name: 'Ann A.',
      ref: 'refs/heads/main',
      before: 'a1',
      after: 'b2',
      commits: push.commits,
      total_commits_count: 2,
    },
    topic: 'rocket / main',
    content: `Ann A\\. pushed [2 commits](${SITE}/rocket/-/compare/a1...b2) to \`main\`.${COMMITS}`,
  },
  {
    what: 'Push Hook',
    body: { project, user_name: 'Ann', ref: 'refs/heads/gone', before: 'a1', after: ZEROS, commits: [] },
    topic: 'rocket / gone',
    content: 'Ann deleted the branch `gone`.',
  },
  {
    what: 'Tag Push Hook',
    body: { project, user_name: 'Ann', ref: 'refs/tags/v1', before: ZEROS, after: 'b2', commits: [] },
    topic: 'rocket',
    content: 'Ann pushed the tag `v1`.',
  },
  {
    what: 'Issue Hook',
    body: { project, user, object_attributes: { ...leak, action: 'open' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. opened issue [\\#3 It leaks](${SITE}/i/3).\n\n\`\`\`quote\nAt the seam\n\`\`\``,
  },
  {
    what: 'Confidential Issue Hook',
    body: { project, user, object_attributes: { ...leak, action: 'close' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. closed issue [\\#3 It leaks](${SITE}/i/3).`,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...merge, action: 'open' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. opened merge request [\\!7 Burn less](${SITE}/mr/7) (\`less\` into \`main\`).\n\n\`\`\`quote\nIt saves\n\`\`\``,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...merge, action: 'merge' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. merged merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Note Hook',
    body: { project, user, object_attributes: said, issue: { iid: 3, title: 'It leaks' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. wrote [a comment](${SITE}/n) on issue \\#3 It leaks:\n\n\`\`\`quote\nI see\n\`\`\``,
  },
  {
    what: 'Pipeline Hook',
    body: {
      project,
      user,
      object_attributes: { id: 31, ref: 'main', status: 'failed', duration: 63, url: `${SITE}/p/31` },
    },
    topic: 'rocket / main',
    content: `❌ [Pipeline \\#31](${SITE}/p/31) of \`main\`: failed after 63 s`,
  },
  {
    what: 'Job Hook',
    body: {
      repository: { name: 'rocket', homepage: SITE },
      user,
      ref: 'main',
      build_name: 'test',
      build_status: 'success',
    },
    topic: 'rocket / main',
    content: '✅ Job `test` of `main`: success (Ann A\\.)',
  },
  {
    what: 'Release Hook',
    body: { project, action: 'create', name: 'One', tag: 'v1', url: `${SITE}/r`, description: 'New' },
    topic: 'rocket',
    content: `Release [One](${SITE}/r) (\`v1\`): create\n\n\`\`\`quote\nNew\n\`\`\``,
  },
  {
    what: 'Wiki Page Hook',
    body: { project, user, object_attributes: { title: 'Home', url: `${SITE}/wiki`, action: 'update' } },
    topic: 'rocket / wiki',
    content: `Ann A\\.: update the wiki page [Home](${SITE}/wiki).`,
  },
  {
    what: 'Deployment Hook',
    body: {
      project,
      user,
      status: 'success',
      environment: 'production',
      deployable_url: `${SITE}/d`,
      short_sha: 'abc123',
    },
    topic: 'rocket',
    content: `Deployment of \`abc123\` to [production](${SITE}/d): **success** (Ann A\\.)`,
  },
]

const from = (service: string, header: string, samples: readonly Omit<Sample, 'service' | 'headers'>[]): Sample[] =>
  samples.map((sample) => ({ ...sample, service, headers: { [header]: sample.what } }))

export const FORGES: readonly Sample[] = [
  ...from('github', 'x-github-event', [...COMMON, ...ONLY_GITHUB]),
  ...from('gitea', 'x-gitea-event', COMMON),
  ...from('gitlab', 'x-gitlab-event', GITLAB),
]
