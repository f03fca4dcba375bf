import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'
import { headerOf, payloadOf, unsupportedEventError, hmacOf, type Integration } from './requests.ts'
import { code, isGiven, lookUpWord, link, toSingleLine, plainText } from './text.ts'

const optionalText = z.nullish(string)
const vcs = z.object({
  branch: optionalText,
  tag: optionalText,
  revision: optionalText,
  commit: z.nullish(z.object({ subject: optionalText })),
})
const git = z.object({
  branch: optionalText,
  tag: optionalText,
  checkout_sha: optionalText,
  commit_message: optionalText,
})
const commit = z.nullish(z.object({ commit_title: optionalText, commit_message: optionalText }))

const payload = z.object({
  project: z.object({ name: string }),
  // The built revision is in `vcs`, or in `trigger_parameters` for GitHub App and GitLab projects.
  pipeline: z.object({
    number: z.number(),
    vcs: z.nullish(vcs),
    trigger_parameters: z.nullish(z.object({ git: z.nullish(git), gitlab: commit, github_app: commit })),
  }),
  workflow: z.object({ name: string, status: optionalText, url: optionalText }),
  job: z.nullish(z.object({ name: string, status: optionalText })),
})

const SAMPLE_PAYLOAD: z.input<typeof payload> = {
  project: { name: 'test' },
  pipeline: { number: 5, vcs: { branch: 'main', revision: 'b'.repeat(40) } },
  workflow: { name: 'A test of the connection', status: 'success', url: 'https://circleci.example/pipelines/5' },
}

const STATUS_SIGNS: Readonly<Record<string, string>> = { success: '✅', failed: '❌', error: '❌', canceled: '🚫' }

export const integration: Integration = {
  read(request) {
    const { type: event } = payloadOf(request, z.object({ type: string }))
    if (event !== 'workflow-completed' && event !== 'job-completed') throw unsupportedEventError(request, event)
    const { project, pipeline, workflow, job } = payloadOf(request, payload)
    const { vcs: built, trigger_parameters: triggered } = pipeline
    const name = isGiven(job) ? `${job.name} in ${workflow.name}` : workflow.name
    const { status } = job ?? workflow
    const branch = code(firstNonEmpty(built?.branch, built?.tag, triggered?.git?.branch, triggered?.git?.tag))
    const revision = code(firstNonEmpty(built?.revision, triggered?.git?.checkout_sha).slice(0, 11))
    const by = triggered?.gitlab ?? triggered?.github_app
    const said = firstNonEmpty(
      built?.commit?.subject,
      by?.commit_title,
      by?.commit_message,
      triggered?.git?.commit_message,
    )
    const subject = plainText(said.split('\n', 1)[0] ?? '')
    const what = `${lookUpWord(STATUS_SIGNS, status) ?? '❔'} ${link(`${name} #${pipeline.number}`, workflow.url)}`
    const from = `${branch && ` of ${branch}`}${revision && ` (${revision})`}`
    const content = `${what}${from}: ${plainText(status ?? 'no status')}${subject && `\n${subject}`}`
    return { event, topic: toSingleLine(project.name), content }
  },
  isSigned: (request, secret) => {
    const expected = `v1=${hmacOf(request.body, secret)}`
    const signatures = headerOf(request, 'CircleCI-Signature').split(',')
    return signatures.some((signature) => isSameSecret(signature.trim(), expected))
  },
  sign: (body, secret) => ({ 'circleci-signature': `v1=${hmacOf(body, secret)}` }),
  sample: { body: { type: 'workflow-completed', ...SAMPLE_PAYLOAD } },
}

function firstNonEmpty(...texts: readonly (string | null | undefined)[]): string {
  return texts.find((one) => isGiven(one) && one !== '') ?? ''
}
