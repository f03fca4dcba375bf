import { COMMIT_LIST, push, SITE, ZERO_HASH, samplesFor, type ForgeSample } from './forge-payloads.ts'
import type { Sample, Signer } from './sample.ts'

const project = { name: 'rocket', web_url: `${SITE}/rocket` }
const user = { name: 'Ann A.' }
const mergeRequest = {
  iid: 7,
  title: 'Burn less',
  url: `${SITE}/mr/7`,
  description: 'It saves',
  source_branch: 'less',
  target_branch: 'main',
}
const leakIssue = { iid: 3, title: 'It leaks', url: `${SITE}/i/3`, description: 'At the seam' }
const VULNERABILITY_URL = `${SITE}/acme/rocket/-/security/vulnerabilities/1`
const EPIC_URL = `${SITE}/groups/acme/-/work_items/3`
const NOTE = { note: 'I see', noteable_type: 'Issue', url: `${SITE}/n` }

const GITLAB_SAMPLES: readonly ForgeSample[] = [
  {
    what: 'Issue Hook',
    body: {
      project: null,
      user,
      object_attributes: { ...leakIssue, url: EPIC_URL, action: 'open', type: 'Epic', description: null },
    },
    topic: 'acme / epic #3 It leaks',
    content: `Ann A\\. opened epic [\\#3 It leaks](${EPIC_URL}).`,
  },
  {
    what: 'Issue Hook',
    body: { project: null, user, object_attributes: { ...leakIssue, action: 'close', type: 'Task' } },
    topic: 'GitLab / task #3 It leaks',
    content: `Ann A\\. closed task [\\#3 It leaks](${SITE}/i/3).`,
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
    content: `Ann A\\. pushed [2 commits](${SITE}/rocket/-/compare/a1...b2) to \`main\`.${COMMIT_LIST}`,
  },
  {
    what: 'Push Hook',
    body: {
      project,
      user_name: 'Ann',
      ref: 'refs/heads/main',
      before: ZERO_HASH,
      after: 'b2',
      commits: push.commits,
      total_commits_count: 4,
    },
    topic: 'rocket / main',
    content: `Ann pushed 4 commits to the new branch \`main\`.${COMMIT_LIST}\n* … and 2 more`,
  },
  {
    what: 'Push Hook',
    body: { project, user_name: 'Ann', ref: 'refs/heads/gone', before: 'a1', after: ZERO_HASH, commits: [] },
    topic: 'rocket / gone',
    content: 'Ann deleted the branch `gone`.',
  },
  {
    what: 'Tag Push Hook',
    body: { project, user_name: 'Ann', ref: 'refs/tags/v1', before: ZERO_HASH, after: 'b2', commits: [] },
    topic: 'rocket',
    content: 'Ann pushed the tag `v1`.',
  },
  {
    what: 'Issue Hook',
    body: { project, user, object_attributes: { ...leakIssue, action: 'open' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. opened issue [\\#3 It leaks](${SITE}/i/3).\n\n\`\`\`quote\nAt the seam\n\`\`\``,
  },
  {
    what: 'Confidential Issue Hook',
    body: { project, user, object_attributes: { ...leakIssue, action: 'close' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. closed issue [\\#3 It leaks](${SITE}/i/3).`,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...mergeRequest, action: 'open' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. opened merge request [\\!7 Burn less](${SITE}/mr/7) (\`less\` into \`main\`).\n\n\`\`\`quote\nIt saves\n\`\`\``,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...mergeRequest, action: 'merge' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. merged merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Note Hook',
    body: { project, user, object_attributes: NOTE, issue: { iid: 3, title: 'It leaks' } },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. wrote [a comment](${SITE}/n) on issue \\#3 It leaks:\n\n\`\`\`quote\nI see\n\`\`\``,
  },
  {
    what: 'Note Hook',
    body: { project, user, object_attributes: { ...NOTE, action: 'update' }, merge_request: { iid: 7, title: 'Burn' } },
    topic: 'rocket / MR !7 Burn',
    content: `Ann A\\. edited [a comment](${SITE}/n) on merge request \\!7 Burn:\n\n\`\`\`quote\nI see\n\`\`\``,
  },
  {
    what: 'Pipeline Hook',
    body: {
      project,
      user,
      object_attributes: { id: 31, ref: 'main', status: 'failed', duration: 63, url: `${SITE}/p/31` },
    },
    topic: 'rocket / main',
    content: `❌ [Pipeline \\#31](${SITE}/p/31) of \`main\`: failed after 63 s (Ann A\\.)`,
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
    content: `The release [One](${SITE}/r) (\`v1\`) was created.\n\n\`\`\`quote\nNew\n\`\`\``,
  },
  {
    what: 'Release Hook',
    body: { project, action: 'delete', name: 'v1', tag: 'v1', url: `${SITE}/r`, description: 'New' },
    topic: 'rocket',
    content: 'The release v1 was deleted.',
  },
  {
    what: 'Wiki Page Hook',
    body: {
      project,
      user,
      object_attributes: { title: 'Home', url: `${SITE}/wiki`, action: 'update', message: 'Say where we fly' },
    },
    topic: 'rocket / wiki',
    content: `Ann A\\. edited the wiki page [Home](${SITE}/wiki).\n\n\`\`\`quote\nSay where we fly\n\`\`\``,
  },
  {
    what: 'Wiki Page Hook',
    body: { project, user, object_attributes: { title: 'Home', url: `${SITE}/wiki`, action: 'delete', message: null } },
    topic: 'rocket / wiki',
    content: 'Ann A\\. deleted the wiki page Home.',
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
    body: { project, user, object_attributes: { ...mergeRequest, action: 'approval' } },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. approved merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Merge Request Hook',
    body: { project, user, object_attributes: { ...mergeRequest, action: 'update', oldrev: 'a1' }, changes: {} },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. pushed to merge request [\\!7 Burn less](${SITE}/mr/7).`,
  },
  {
    what: 'Merge Request Hook',
    body: {
      project,
      user,
      object_attributes: { ...mergeRequest, action: 'update' },
      changes: {
        updated_at: { previous: '1', current: '2' },
        draft: { previous: true, current: false },
        labels: { previous: [], current: [{ title: 'API' }] },
      },
    },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. changed the labels of merge request [\\!7 Burn less](${SITE}/mr/7) and marked it as ready.`,
  },
  {
    what: 'Merge Request Hook',
    body: {
      project,
      user,
      object_attributes: { ...mergeRequest, action: 'update' },
      changes: {
        draft: { previous: false, current: true },
        title: { previous: 'Burn less', current: 'Draft: Burn less' },
      },
    },
    topic: 'rocket / MR !7 Burn less',
    content: `Ann A\\. marked merge request [\\!7 Burn less](${SITE}/mr/7) as a draft.`,
  },
  {
    what: 'Issue Hook',
    body: {
      project,
      user,
      object_attributes: { ...leakIssue, action: 'update' },
      changes: {
        title: { previous: 'It drips', current: 'It leaks' },
        labels: { previous: [], current: [] },
        due_date: { previous: null, current: '2026-12-01' },
      },
    },
    topic: 'rocket / issue #3 It leaks',
    content: `Ann A\\. changed the title, the labels, and the due date of issue [\\#3 It leaks](${SITE}/i/3).`,
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
      commit: { id: 'b2', message: 'Seal it\n\nWith glue.\n', title: 'Seal it', url: `${SITE}/1` },
    },
    topic: 'rocket / main',
    content: `❌ [Pipeline \\#32](${SITE}/p/32) of \`main\` for [Seal it](${SITE}/1): failed (Ann A\\.)\n* \`unit\``,
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
      object_attributes: { title: 'It burns', url: VULNERABILITY_URL, state: 'confirmed', severity: 'high' },
    },
    topic: 'rocket / vulnerabilities',
    content: `⚠️ Vulnerability: [It burns](${VULNERABILITY_URL}) \`high\` \`confirmed\``,
  },
  {
    what: 'Member Hook',
    body: {
      group_name: 'Crew',
      group_path: 'crew',
      group_id: 100,
      user_username: 'bob',
      user_name: 'Bob *B*',
      user_email: '[REDACTED]',
      group_access: 'Guest',
      event_name: 'user_add_to_group',
    },
    topic: 'Crew',
    content: 'Bob \\*B\\* joined the group Crew (Guest).',
  },
  {
    what: 'Resource Access Token Hook',
    body: {
      object_kind: 'access_token',
      group: { group_name: 'Crew', group_path: 'crew', group_id: 35, full_path: 'crew' },
      object_attributes: { user_id: 90, id: 25, name: 'deploy', expires_at: '2026-12-01' },
      event_name: 'expiring_access_token',
    },
    topic: 'Crew',
    content: '⏳ The access token `deploy` expires on 2026\\-12\\-01.',
  },
  {
    what: 'Feature Flag Hook',
    body: {
      object_kind: 'feature_flag',
      project,
      user,
      user_url: `${SITE}/ann`,
      object_attributes: { id: 6, name: 'new-engine', description: 'Burns *less*', active: true },
    },
    topic: 'rocket',
    content: `Ann A\\. switched on the feature flag [new\\-engine](${project.web_url}/-/feature_flags) (Burns \\*less\\*).`,
  },
]

export const SAMPLES: readonly Sample[] = samplesFor('gitlab', 'x-gitlab-event', GITLAB_SAMPLES)

export const sign: Signer = (_, secret) => ({ 'x-gitlab-token': secret })
