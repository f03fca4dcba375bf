import { t } from '../../../kernel/strings.ts'
import { RenderedText } from '../../messages/parts/shown.tsx'

export function Preview({ text }: { readonly text: string }) {
  return (
    <div class="composer-shown" role="region" aria-label={t().composer.preview}>
      {text.trim() === '' ? <p class="note">{t().composer.previewEmpty}</p> : <RenderedText text={text} />}
    </div>
  )
}
