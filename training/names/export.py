"""The trained network as an int8 ONNX file: exported, its layers fused, weights and embeddings quantised."""

from __future__ import annotations

import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.fusion_options import FusionOptions
from onnxruntime.transformers.optimizer import optimize_model
from training.names.network import HEADS, VOCABULARY, WIDTH, Network


def export(network: Network, path: Path) -> None:
    """Write the model that the package carries."""
    network.eval()
    with tempfile.TemporaryDirectory() as folder:
        plain, fused = Path(folder) / "plain.onnx", Path(folder) / "fused.onnx"
        _plain(network, plain)
        options = FusionOptions("bert")
        options.enable_embed_layer_norm = False  # the features are a third embedding
        options.enable_attention_mask = True
        # Adding, then normalising, takes a fifth of the time of onnxruntime's fused operator on a CPU.
        options.enable_skip_layer_norm = False
        model = optimize_model(str(plain), "bert", HEADS, WIDTH, optimization_options=options, opt_level=0)
        model.save_model_to_file(str(fused))
        print({name: count for name, count in model.get_fused_operator_statistics().items() if count})
        quantize_dynamic(
            fused,
            path,
            op_types_to_quantize=["MatMul", "Attention", "Gather"],
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # without VNNI, 8-bit sums overflow otherwise
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
    onnx.checker.check_model(str(path))


def export_beside(network: Network, path: Path, other: Path) -> None:
    """Write a second model that takes its word embeddings, most of its size, from the file of the first."""
    export(network, path)
    model, whole = onnx.load(str(path)), other.read_bytes()
    (table,) = (one for one in model.graph.initializer if list(one.dims) == [VOCABULARY, WIDTH])
    offset = whole.find(table.raw_data)
    if offset < 0:
        raise ValueError("the word embeddings have learned")
    where = {"location": other.name, "offset": str(offset), "length": str(len(table.raw_data))}
    table.ClearField("raw_data")
    table.data_location = onnx.TensorProto.EXTERNAL
    for key, value in where.items():
        table.external_data.add(key=key, value=value)
    path.write_bytes(model.SerializeToString())
    onnx.checker.check_model(str(path))


def _plain(network: Network, path: Path) -> None:
    ids = torch.randint(1000, 20000, (2, 24))
    features = torch.randint(0, 30, (2, 24))
    present = torch.ones(2, 24, dtype=torch.int64)
    torch.onnx.export(
        network,
        (ids, features, present),
        str(path),
        input_names=["ids", "features", "present"],
        output_names=["types", "mask"],
        dynamic_axes={
            name: {0: "batch", 1: "length"} for name in ("ids", "features", "present", "types", "mask")
        },
        opset_version=17,
        dynamo=False,
    )
