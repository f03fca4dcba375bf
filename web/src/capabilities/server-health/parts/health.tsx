import { call, type Answer } from '@parley/client'
import { serverHealth } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { ta } from '../../../kernel/administration.ts'
import { timeOfDay, dayTitle } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import './health.css'

type HealthReport = Answer<typeof serverHealth.getServerHealth>

export function Health() {
  const { value, hasFailed, again } = useFetched(
    async (signal) => call(SESSION, serverHealth.getServerHealth, {}, { signal }),
    'health',
  )
  if (value === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={5} />
  return (
    <div class="form">
      <HealthState problems={value.problems} findings={value.findings} />
      {hasFailed && <LoadFailure again={again} />}
      <dl class="listed">
        {factsOf(value).map(([name, fact]) => (
          <div key={name} class="listed-row">
            <dt class="listed-name">{name}</dt>
            <dd class="health-fact">{fact}</dd>
          </div>
        ))}
      </dl>
      <div>
        <button class="button" onClick={again}>
          {ta().health.again}
        </button>
      </div>
    </div>
  )
}

function HealthState({ problems, findings }: Pick<HealthReport, 'problems' | 'findings'>) {
  const texts = ta().health
  const findingsOf = (severity: 'wrong' | 'notice') =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ what, value }) => ({ id: what, text: findingText(what, value ?? 0) }))
  const wrong = [...problems.map((what) => ({ id: what, text: problemText(what) })), ...findingsOf('wrong')]
  const notices = findingsOf('notice')
  return (
    <>
      {wrong.length === 0 && notices.length === 0 && (
        <p class="health-state is-well" role="status">
          <Icon name="check" size={20} />
          {texts.isWell}
        </p>
      )}
      {wrong.length > 0 && (
        <div class="health-state" role="alert">
          <SentenceList of={wrong} />
        </div>
      )}
      {notices.length > 0 && (
        <div class="health-state is-notice" role="note">
          <SentenceList of={notices} />
        </div>
      )}
      {(wrong.length > 0 || notices.length > 0) && <p class="health-fact">{texts.doctor}</p>}
    </>
  )
}

/** Another node can be newer and report problems for which this client has no text. */
function findingText(what: HealthReport['findings'][number]['what'], value: number): string {
  const texts = ta().health.findings
  return Object.hasOwn(texts, what) ? texts[what](value) : what
}

function problemText(what: HealthReport['problems'][number]): string {
  const texts = ta().health.problems
  return Object.hasOwn(texts, what) ? texts[what] : what
}

function SentenceList({ of }: { readonly of: readonly { readonly id: string; readonly text: string }[] }) {
  return (
    <>
      {of.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </>
  )
}

function factsOf({
  version,
  started_at: began,
  node_version: node,
  database,
  waiting,
  ...facts
}: HealthReport): readonly (readonly [string, ComponentChildren])[] {
  const texts = ta().health
  return [
    [texts.version, version],
    [texts.began, timeText(began)],
    [texts.node, node],
    [texts.database, database === null ? texts.isUnknown : texts.databaseSays(database.version, database.milliseconds)],
    [texts.mail, facts.is_mail_configured ? texts.isConfigured : texts.isUnconfigured],
    ...waiting.map(
      ({ what, count, since }) =>
        [
          texts.waiting[what],
          count === 0 || since === null ? texts.nothing : texts.waits(count, timeText(since)),
        ] as const,
    ),
  ]
}

function timeText(seconds: number): string {
  return `${dayTitle(seconds)} ${timeOfDay(seconds)}`
}
