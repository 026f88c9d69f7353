"""The first tables: sweeps, runs, their raw parts, and estimates."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one revision up."""
    op.create_table(
        "sweep",
        sa.Column("sweep_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("machine", sa.String(), nullable=False),
        sa.Column("suite_name", sa.String(), nullable=False),
        sa.Column("suite_hash", sa.String(length=64), nullable=False),
        sa.Column("adapter", sa.String(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("start", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("sweep_id"),
    )
    with op.batch_alter_table("sweep") as batch_op:
        batch_op.create_index(batch_op.f("ix_sweep_received_at"), ["received_at"], unique=False)

    op.create_table(
        "run",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("sweep_id", sa.String(length=32), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("runtime_name", sa.String(), nullable=True),
        sa.Column("runtime_version", sa.String(), nullable=True),
        sa.Column("profile", sa.String(), nullable=True),
        sa.Column("suite_name", sa.String(), nullable=False),
        sa.Column("suite_hash", sa.String(length=64), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("verdict", sa.String(), nullable=True),
        sa.Column("verdict_reasons", sa.JSON(), nullable=False),
        sa.Column("carryover_ratio", sa.Float(), nullable=True),
        sa.Column("naive_us", sa.Float(), nullable=True),
        sa.Column("wait_us", sa.Float(), nullable=True),
        sa.Column("wait_mode", sa.String(), nullable=True),
        sa.Column("software", sa.Boolean(), nullable=True),
        sa.Column("adapter_label", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_part_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("parts_count", sa.Integer(), nullable=False),
        sa.Column("bytes_stored", sa.Integer(), nullable=False),
        sa.Column("start", sa.JSON(), nullable=False),
        sa.Column("start_digest", sa.String(length=64), nullable=False),
        sa.Column("environment", sa.JSON(), nullable=True),
        sa.Column("finish", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["sweep_id"],
            ["sweep.sweep_id"],
        ),
        sa.PrimaryKeyConstraint("run_id"),
    )
    with op.batch_alter_table("run") as batch_op:
        batch_op.create_index("ix_run_received", ["received_at", "run_id"], unique=False)
        batch_op.create_index("ix_run_status", ["status", "last_part_at"], unique=False)
        batch_op.create_index("ix_run_sweep", ["sweep_id", "position"], unique=False)

    op.create_table(
        "estimate",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("repeat", sa.Boolean(), nullable=False),
        sa.Column("wait", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("slope_us", sa.Float(), nullable=True),
        sa.Column("slope_low_us", sa.Float(), nullable=True),
        sa.Column("slope_high_us", sa.Float(), nullable=True),
        sa.Column("intercept_us", sa.Float(), nullable=True),
        sa.Column("intercept_low_us", sa.Float(), nullable=True),
        sa.Column("intercept_high_us", sa.Float(), nullable=True),
        sa.Column("n_low", sa.Integer(), nullable=True),
        sa.Column("n_high", sa.Integer(), nullable=True),
        sa.Column("n_bend", sa.Integer(), nullable=True),
        sa.Column("spans", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("residual_us", sa.Float(), nullable=True),
        sa.Column("encode_slope_us", sa.Float(), nullable=True),
        sa.Column("gpu_slope_us", sa.Float(), nullable=True),
        sa.Column("total_over_100_us", sa.Float(), nullable=True),
        sa.Column("estimator_version", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["run.run_id"],
        ),
        sa.PrimaryKeyConstraint("run_id", "ordinal"),
    )
    with op.batch_alter_table("estimate") as batch_op:
        batch_op.create_index("ix_estimate_case", ["case_id", "run_id"], unique=False)

    op.create_table(
        "part",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("case_id", sa.String(), nullable=True),
        sa.Column("case_kind", sa.String(), nullable=True),
        sa.Column("repeat", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["run.run_id"],
        ),
        sa.PrimaryKeyConstraint("run_id", "sequence"),
    )


def downgrade() -> None:
    """Goes one revision back."""
    for table in ("part", "estimate", "run", "sweep"):
        op.drop_table(table)
