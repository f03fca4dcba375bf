import { call, type Answer } from '@parley/client'
import { serverHealth } from '@parley/server/contract'
import type { ComponentChildren } from 'preact'
import { ta } from '../../../kernel/administration.ts'
import { clock, day } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useAsked } from '../../../platform/list/asked.ts'
import { Failed, Waiting } from '../../../platform/list/states.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import './health.css'

type Facts = Answer<typeof serverHealth.getServerHealth>

/** How the server is: what is wrong with it, what it is, and what it has not done yet. */
export function Health() {
  const { value, hasFailed, again } = useAsked(
    async (signal) => call(SESSION, serverHealth.getServerHealth, {}, { signal }),
    'health',
  )
  if (value === undefined) return hasFailed ? <Failed again={again} /> : <Waiting rows={5} />
  return (
    <div class="form">
      <State problems={value.problems} />
      {hasFailed && <Failed again={again} />}
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

/** What one wants to know first. */
function State({ problems }: Pick<Facts, 'problems'>) {
  const texts = ta().health
  if (problems.length === 0) {
    return (
      <p class="health-state is-well" role="status">
        <Icon name="check" size={20} />
        {texts.isWell}
      </p>
    )
  }
  return (
    <div class="health-state" role="alert">
      {problems.map((what) => (
        <p key={what}>{texts.problems[what]}</p>
      ))}
    </div>
  )
}

function factsOf({
  version,
  started_at: began,
  node_version: node,
  database,
  waiting,
  ...facts
}: Facts): readonly (readonly [string, ComponentChildren])[] {
  const texts = ta().health
  return [
    [texts.version, version],
    [texts.began, when(began)],
    [texts.node, node],
    [texts.database, database === null ? texts.isUnknown : texts.databaseSays(database.version, database.milliseconds)],
    [texts.mail, facts.is_mail_configured ? texts.isConfigured : texts.mailMore],
    ...waiting.map(
      ({ what, count, since }) =>
        [texts.waiting[what], count === 0 || since === null ? texts.nothing : texts.waits(count, when(since))] as const,
    ),
  ]
}

function when(seconds: number): string {
  return `${day(seconds)} ${clock(seconds)}`
}
