import { useEffect, useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { RenderingSettings } from '../../../kernel/rendering.ts'
import { store } from '../../../platform/client.ts'
import { Renderer } from '../../../platform/rendering.ts'
import { Content } from '../../messages/parts/shown.tsx'
import { renderingContext } from '../../messages/renderer.ts'
import type { LinkifierDraft, Linkifier } from '../actions.ts'

interface TesterProps {
  readonly draft: LinkifierDraft
  readonly editing: number | undefined
}

export function Tester({ draft, editing }: TesterProps) {
  const [text, setText] = useState('')
  const all = withDraft(store().read('realm_linkifiers'), draft, editing)
  const html = useTestResult(text, all)
  return (
    <div class="form">
      <label class="field">
        <span>{ta().content.tester}</span>
        <input
          class="input"
          dir="auto"
          placeholder={ta().content.testerText}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="note">{ta().content.testerMore}</span>
      </label>
      {text.trim() !== '' && (
        <div class="tester-result" role="group" aria-label={ta().content.testerResult}>
          {html === undefined ? <p class="note">{ta().content.testerFailed}</p> : <Content html={html} />}
        </div>
      )}
    </div>
  )
}

function withDraft(
  all: readonly Linkifier[],
  { pattern, url_template }: LinkifierDraft,
  editing: number | undefined,
): readonly Linkifier[] {
  if (pattern.trim() === '' || url_template.trim() === '') return all
  const draft = { pattern: pattern.trim(), url_template: url_template.trim(), id: editing ?? 0 }
  return editing === undefined ? [...all, draft] : all.map((one) => (one.id === editing ? draft : one))
}

/** Returns the rendered test text; undefined if a pattern is invalid. */
function useTestResult(text: string, all: readonly Linkifier[]): string | undefined {
  const [html, setHtml] = useState<string | undefined>('')
  const settings = useRef<RenderingSettings>(undefined)
  const rendering = useRef<Renderer>(undefined)
  useEffect(() => () => rendering.current?.end(), [])
  const key = JSON.stringify(all)
  useEffect(() => {
    if (text.trim() === '') return undefined
    settings.current = { ...renderingContext.settings(), linkifiers: all }
    const tried = (rendering.current ??= new Renderer({
      answers: renderingContext.answers,
      settings: () => settings.current ?? renderingContext.settings(),
    }))
    let isWanted = true
    void tried
      .render(text, () => isWanted)
      .then((found) => {
        if (isWanted) setHtml(found)
      })
    return () => {
      isWanted = false
    }
  }, [text, key])
  return html
}
