import { testTexts } from './every-view.ts'
import { VIEW_GROUPS } from './views.ts'

testTexts('en-XA', VIEW_GROUPS)
