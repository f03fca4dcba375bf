import { hmac, type Sample, type Signer } from './sample.ts'

const SITE = 'https://circleci.example'

const project = { id: '8499', name: 'webshop', slug: 'github/acme/webshop' }
const organization = { id: 'f22b', name: 'acme' }
const webhook = { id: 'cf8c', name: 'Chat' }
const SHA = '1dc6aa69429bff4806ad6afe58d3d8f57e25973e'

const workflow = {
  id: 'fda0',
  name: 'build-test',
  created_at: '2026-11-25T10:49:03.616Z',
  stopped_at: '2026-11-25T10:49:34.170Z',
  url: `${SITE}/pipelines/github/acme/webshop/130/workflows/fda0`,
}
const job = {
  id: '8b91',
  name: 'unit_tests',
  started_at: '2026-11-25T10:49:28.841Z',
  stopped_at: '2026-11-25T10:49:34.170Z',
  status: 'success',
  number: 136,
}
const vcs = {
  provider_name: 'github',
  origin_repository_url: 'https://forge.example/acme/webshop',
  target_repository_url: 'https://forge.example/acme/webshop',
  revision: SHA,
  commit: { subject: 'Let carts *expire*', body: '', author: { name: 'Ann', email: 'ann@office.example' } },
  branch: 'main',
}
const pipeline = { id: '1285', number: 130, created_at: '2026-11-25T10:49:03.544Z', trigger: { type: 'webhook' }, vcs }

/** Fields sent for GitLab, and for GitHub through the GitHub App. */
const gitParameters = {
  tag: '',
  checkout_sha: SHA,
  ref: 'refs/heads/main',
  branch: 'main',
  checkout_url: 'git@forge.example:acme/webshop.git',
}

const gitlabParameters = {
  web_url: 'https://gitlab.example/acme/webshop',
  branch: 'main',
  commit_title: 'Let carts *expire*',
  commit_message: 'Let carts *expire*\n\nThey pile up',
  commit_author_name: 'Ann',
}

const workflowCompleted = (status: string, of: object = pipeline): object => ({
  id: '3888',
  type: 'workflow-completed',
  happened_at: '2026-11-25T10:49:34.317Z',
  webhook,
  project,
  organization,
  workflow: { ...workflow, status },
  pipeline: of,
})

const triggerPayload = (by: object, more: object = {}): object => ({
  ...pipeline,
  vcs: undefined,
  trigger: { type: 'gitlab' },
  trigger_parameters: { git: by, ...more, circleci: { event_type: 'push', trigger_type: 'gitlab' } },
})

const BUILD_LINK = `[build\\-test \\#130](${workflow.url})`
const MAIN_REVISION = '`main` (`1dc6aa69429`)'

export const SAMPLES: readonly Sample[] = [
  {
    service: 'circleci',
    what: 'workflow-completed',
    body: workflowCompleted('success'),
    topic: 'webshop',
    content: `✅ ${BUILD_LINK} of ${MAIN_REVISION}: success\nLet carts \\*expire\\*`,
  },
  {
    service: 'circleci',
    what: 'workflow-completed',
    body: workflowCompleted('canceled', { ...pipeline, vcs: { revision: SHA, tag: 'v1.0' } }),
    topic: 'webshop',
    content: `🚫 ${BUILD_LINK} of \`v1.0\` (\`1dc6aa69429\`): canceled`,
  },
  {
    service: 'circleci',
    what: 'workflow-completed',
    body: workflowCompleted('unauthorized', { ...pipeline, vcs: undefined }),
    topic: 'webshop',
    content: `❔ ${BUILD_LINK}: unauthorized`,
  },
  {
    service: 'circleci',
    what: 'workflow-completed for GitLab',
    body: workflowCompleted('failed', triggerPayload(gitParameters, { gitlab: gitlabParameters })),
    topic: 'webshop',
    content: `❌ ${BUILD_LINK} of ${MAIN_REVISION}: failed\nLet carts \\*expire\\*`,
  },
  {
    service: 'circleci',
    what: 'workflow-completed for GitLab without a commit title',
    body: workflowCompleted(
      'failed',
      triggerPayload(gitParameters, { gitlab: { ...gitlabParameters, commit_title: undefined } }),
    ),
    topic: 'webshop',
    content: `❌ ${BUILD_LINK} of ${MAIN_REVISION}: failed\nLet carts \\*expire\\*`,
  },
  {
    service: 'circleci',
    what: 'workflow-completed for the GitHub App',
    body: workflowCompleted(
      'error',
      triggerPayload({ ...gitParameters, commit_message: 'Let carts expire\n\nThey pile up' }),
    ),
    topic: 'webshop',
    content: `❌ ${BUILD_LINK} of ${MAIN_REVISION}: error\nLet carts expire`,
  },
  {
    service: 'circleci',
    what: 'job-completed',
    body: {
      id: '8bd7',
      type: 'job-completed',
      happened_at: '2026-11-25T10:49:34.279Z',
      webhook,
      project,
      organization,
      pipeline,
      workflow,
      job,
    },
    topic: 'webshop',
    content: `✅ [unit\\_tests in build\\-test \\#130](${workflow.url}) of ${MAIN_REVISION}: success\nLet carts \\*expire\\*`,
  },
]

export const sign: Signer = (body, secret) => ({ 'circleci-signature': `v0=old,v1=${hmac(body, secret)}` })
