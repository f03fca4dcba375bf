import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Written } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { announce } from '../overlay/announce.tsx'
import { useRefusal } from '../overlay/refusal.tsx'
import { undoable } from '../undo.ts'

/** How long a setting says that it was saved. */
const SAID_MILLISECONDS = 4_000

interface Choosing {
  /** What became of the last choice, for a while. */
  readonly said: ComponentChildren
  /** Why the server refused it. */
  readonly refusal: ComponentChildren
  /** @param inverse chooses what was chosen before */
  readonly choose: (choice: () => Promise<Written>, inverse: () => Promise<Written>) => Promise<void>
  /** Notes a choice that was made elsewhere. */
  readonly note: (written: Written, inverse: () => Promise<Written>) => void
}

/** Makes choices of a setting, each of which can be undone by the key. */
export function useChoosing(title: () => string): Choosing {
  const [said, say] = useSaid()
  const [refusal, run] = useRefusal()
  const note = (written: Written, inverse: () => Promise<Written>): void => {
    say(written)
    if (written !== 'refused') undoable(title(), inverse, { isQuiet: true })
  }
  const choose = async (choice: () => Promise<Written>, inverse: () => Promise<Written>): Promise<void> => {
    await run(async () => note(await choice(), inverse))
  }
  return { said: said === undefined ? null : <span class="setting-said">{said}</span>, refusal, choose, note }
}

/** What became of the last choice, for a while; screen readers hear it too. */
function useSaid(): [string | undefined, (written: Written) => void] {
  const [said, setSaid] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (written: Written): void => {
    clearTimeout(timer.current)
    // A refusal is told as such where it comes from.
    const text = { saved: t().settings.saved, waits: t().settings.waits, refused: undefined }[written]
    setSaid(text)
    if (text === undefined) return
    announce(text)
    timer.current = setTimeout(() => setSaid(undefined), SAID_MILLISECONDS)
  }
  return [said, say]
}
