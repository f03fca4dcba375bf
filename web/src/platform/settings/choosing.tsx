import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SaveResult } from '../../kernel/setting.ts'
import { tl } from '../../kernel/later-texts.ts'
import { announce } from '../overlay/announce.tsx'
import { useRefusal } from '../overlay/refusal.tsx'
import { offerUndo } from '../undo.ts'

const RESULT_DISPLAY_MILLISECONDS = 4_000

interface ChoiceState {
  readonly said: ComponentChildren
  readonly refusal: ComponentChildren
  /**
   * @param inverse restores the previous choice
   * @param before names the previous choice, for the toast
   */
  readonly choose: (
    choice: () => Promise<SaveResult>,
    inverse: () => Promise<SaveResult>,
    before?: string,
  ) => Promise<void>
  readonly showResult: (written: SaveResult) => void
}

/** @param hasToast for choices that affect others, and for dialogs, which close before the shortcut can undo them */
export function useSavedChoice(title: () => string, hasToast = false): ChoiceState {
  const [said, showResult] = useSaveResult()
  const [refusal, run] = useRefusal()
  const choose: ChoiceState['choose'] = async (choice, inverse, before) => {
    await run(async () => {
      const written = await choice()
      showResult(written)
      if (written !== 'refused') offerUndo(tl().settings.changed(title(), before), inverse, { isQuiet: !hasToast })
    })
  }
  return { said: said === undefined ? null : <span class="setting-said">{said}</span>, refusal, choose, showResult }
}

function useSaveResult(): [string | undefined, (written: SaveResult) => void] {
  const [said, setSaid] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const showResult = (written: SaveResult): void => {
    clearTimeout(timer.current)
    // The code that sends the request shows refusals.
    const text = { saved: tl().settings.saved, waits: tl().settings.waits, refused: undefined }[written]
    setSaid(text)
    if (text === undefined) return
    announce(text)
    timer.current = setTimeout(() => setSaid(undefined), RESULT_DISPLAY_MILLISECONDS)
  }
  return [said, showResult]
}
