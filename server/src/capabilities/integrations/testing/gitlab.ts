import { COMMITS, push, SITE, ZEROS, type OfForge } from './forge-payloads.ts'

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

export const GITLAB: readonly OfForge[] = [
  {
    what: 'Issue Hook',
    body: { project: null, user, object_attributes: { ...leak, action: 'open', type: 'Epic', description: null } },
    topic: 'GitLab / epic #3 It leaks',
    content: `Ann A\\. opened epic [\\#3 It leaks](${SITE}/i/3).`,
  },
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
      build_id: 12,
      build_name: 'test',
      build_status: 'success',
    },
    topic: 'rocket / main',
    content: `✅ Job [test](${SITE}/-/jobs/12) of \`main\`: success (Ann A\\.)`,
  },
  {
    what: 'Job Hook',
    body: {
      repository: { name: 'Acme / rocket' },
      user,
      ref: 'main',
      build_name: 'test',
      build_status: 'failed',
      build_failure_reason: 'script_failure',
    },
    topic: 'rocket / main',
    content: '❌ Job test of `main`: failed, script\\_failure (Ann A\\.)',
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
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...merge, action: 'approval' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. approved merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...merge, action: 'update', oldrev: 'a1' }, changes: {} },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. pushed to merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Merge Request Hook',
    body: {
      project,
      user,
      object_attributes: { ...merge, action: 'update' },
      changes: {
        updated_at: { previous: '1', current: '2' },
        draft: { previous: true, current: false },
        labels: { previous: [], current: [{ title: 'API' }] },
      },
    },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. changed whether it is a draft, the labels of merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Pipeline Hook',
    body: {
      project,
      user,
      object_attributes: { id: 32, ref: 'main', status: 'failed', duration: null, url: `${SITE}/p/32` },
      builds: [
        { id: 1, stage: 'test', name: 'unit', status: 'failed' },
        { id: 2, stage: 'test', name: 'lint', status: 'success' },
      ],
    },
    topic: 'rocket / main',
    content: `❌ [Pipeline \\#32](${SITE}/p/32) of \`main\`: failed\n* \`unit\``,
  },
  {
    what: 'Milestone Hook',
    body: { project, object_kind: 'milestone', action: 'close', object_attributes: { title: 'Launch' } },
    topic: 'rocket',
    content: 'The milestone Launch was closed.',
  },
  {
    what: 'Vulnerability Hook',
    body: {
      object_kind: 'vulnerability',
      object_attributes: { title: 'It burns', url: `${SITE}/v/1`, state: 'confirmed', severity: 'high' },
    },
    topic: 'vulnerabilities',
    content: `⚠️ Vulnerability: [It burns](${SITE}/v/1) \`high\` \`confirmed\``,
  },
]
