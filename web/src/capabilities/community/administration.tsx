/* Bundled with the settings pages: see `APART` in `web/build.js`. */
import { call } from '@parley/client'
import { community as declared, organizations } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { ta } from '../../kernel/administration.ts'
import { tl } from '../../kernel/later-texts.ts'
import {
  selectSetting,
  toggleSetting,
  type BaseSetting,
  type Choice,
  type Setting,
  type SettingsGroup,
} from '../../kernel/setting.ts'
import { timeOfDay } from '../../kernel/time.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { refusalReason, withChosen } from '../organizations/choices.ts'
import { withConfirmation } from '../sessions/confirming.ts'
import { askToLockDown, endLockDown } from './actions.ts'
import { lockDownEnd } from './state.ts'

type Settings = declared.NewcomerSettings
type FlagName = { [Name in keyof Settings]: Settings[Name] extends boolean ? Name : never }[keyof Settings]
type NumberName = Exclude<keyof Settings, FlagName>

const DEFAULTS: Settings = {
  newcomer_messages: 0,
  newcomer_days: 0,
  newcomer_limit_links: true,
  newcomer_limit_mentions: true,
  newcomer_limit_direct_messages: true,
  newcomer_limit_uploads: true,
  newcomer_limits_for_invited: true,
}

/** No event reports changes by others, so older values are requested again when they are shown. */
const FRESH_MILLISECONDS = 10_000

const settings = signal<Settings>(DEFAULTS)
let requestedAt = -Infinity

async function requestSettings(): Promise<void> {
  requestedAt = Date.now()
  try {
    settings.value = await call(SESSION, declared.getNewcomerSettings, {})
  } catch {
    requestedAt = -Infinity
  }
}

function newcomerSetting<Name extends keyof Settings>(name: Name): Choice<Settings[Name]> {
  return {
    read: () => {
      if (Date.now() - requestedAt > FRESH_MILLISECONDS) void requestSettings()
      return settings.value[name]
    },
    write: async (value) => {
      await withConfirmation(async () => call(SESSION, organizations.updateRealm, { [name]: value }))
      settings.value = { ...settings.peek(), [name]: value }
      return 'saved'
    },
  }
}

function describeSetting(id: keyof Settings): BaseSetting {
  return { id, title: () => ta().organization.titles[id], fixed: () => refusalReason(id) }
}

function numberSetting(name: NumberName, numbers: readonly number[]): Setting {
  return selectSetting(describeSetting(name), newcomerSetting(name), (chosen) =>
    withChosen(numbers, chosen).map((number) => [
      number,
      number === 0 ? ta().community.none : ta().community[name](number),
    ]),
  )
}

const flagSetting = (name: FlagName): Setting => toggleSetting(describeSetting(name), newcomerSetting(name))

function LockDown() {
  const end = lockDownEnd()
  if (end === undefined) {
    return (
      <button class="button danger" onClick={askToLockDown}>
        {tl().lockDown.start}
      </button>
    )
  }
  return (
    <>
      <p>{tl().lockDown.banner(timeOfDay(end))}</p>
      <button class="button" onClick={() => void endLockDown()}>
        {tl().lockDown.end}
      </button>
    </>
  )
}

export const communityGroups: readonly SettingsGroup[] = [
  {
    title: () => ta().community.newcomers,
    note: () => ta().community.newcomersMore,
    settings: [
      numberSetting('newcomer_messages', [0, 3, 5, 10, 20, 50]),
      numberSetting('newcomer_days', [0, 1, 3, 7, 14, 30]),
      flagSetting('newcomer_limit_links'),
      flagSetting('newcomer_limit_mentions'),
      flagSetting('newcomer_limit_direct_messages'),
      flagSetting('newcomer_limit_uploads'),
      flagSetting('newcomer_limits_for_invited'),
    ],
  },
  {
    settings: [
      {
        id: 'lock-down',
        kind: 'part',
        title: () => ta().community.lockDown,
        note: () => ta().community.lockDownMore,
        Part: LockDown,
      },
    ],
  },
]
