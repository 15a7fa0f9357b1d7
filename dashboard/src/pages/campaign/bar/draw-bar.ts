import { placeOfState, STATE_ORDER } from "../states.ts";
import type { Series } from "../story/series.ts";

export type BarMarks = {
  /** From 0 to 1 along the campaign's life; null: at its end. */
  readonly at: number | null;
  readonly since: number | null;
};

export type BarColours = {
  /** In the order of STATE_ORDER. */
  readonly states: readonly string[];
  readonly mark: string;
  readonly since: string;
};

/** Draws the contacts by state over the campaign's life; the part after the selected moment is pale. */
export function drawBar(
  canvas: HTMLCanvasElement,
  series: Series,
  marks: BarMarks,
  colours: BarColours,
): void {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight: height } = canvas;
  if (context === null || width === 0) return;
  const scale = window.devicePixelRatio;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const past = marks.at === null ? width : marks.at * width;
  drawStates(context, series, colours, { width, height, until: past });
  context.globalAlpha = 0.3;
  if (past < width) drawStates(context, series, colours, { width, height, from: past, until: width });
  context.globalAlpha = 1;
  if (marks.since !== null) line(context, marks.since * width, height, colours.since);
  line(context, past, height, colours.mark);
}

type Area = {
  readonly width: number;
  readonly height: number;
  readonly from?: number;
  readonly until: number;
};

function drawStates(
  context: CanvasRenderingContext2D,
  { counts, most }: Series,
  { states }: BarColours,
  { width, height, from = 0, until }: Area,
): void {
  const slices = counts[0]?.length ?? 1;
  context.save();
  context.beginPath();
  context.rect(from, 0, until - from, height);
  context.clip();
  const below = new Float64Array(slices);
  STATE_ORDER.forEach((state, order) => {
    const column = counts[placeOfState(state)];
    context.fillStyle = states[order] ?? "gray";
    context.beginPath();
    context.moveTo(0, height);
    const top = (slice: number) => height - ((below[slice] ?? 0) / most) * height;
    for (let slice = 0; slice < slices; slice += 1)
      context.lineTo((slice / (slices - 1)) * width, top(slice));
    for (let slice = slices - 1; slice >= 0; slice -= 1) {
      below[slice] = (below[slice] ?? 0) + (column?.[slice] ?? 0);
      context.lineTo((slice / (slices - 1)) * width, top(slice));
    }
    context.fill();
  });
  context.restore();
}

function line(context: CanvasRenderingContext2D, at: number, height: number, colour: string): void {
  context.fillStyle = colour;
  context.fillRect(Math.max(0, at - 1), 0, 2, height);
}
